"""Remembers in which folders an editor may run programs."""

from __future__ import annotations

from pathlib import Path

import msgspec

from jaxtutor.storage import workspace


class Consents:
    """The answers of a person, by folder, in a file that all editors share.

    An answer is for the programs of a project, or of a folder without one, whatever they contain
    later: a clone in a folder that is allowed is a project of its own.
    """

    def __init__(self, place: Path) -> None:
        self._place = place

    def answer(self, folder: Path) -> bool | None:
        """Return the answer for this very folder; None if there is none."""
        return self._read().get(str(folder))

    def remember(self, folder: Path, may_run: bool) -> None:
        """Keep an answer. Raises TutorError if it cannot be written."""
        self._write({**self._read(), str(folder): may_run})

    def forget(self) -> int:
        """Forget all answers; return how many there were. Raises TutorError."""
        known = self._read()
        if known:
            self._write({})
        return len(known)

    def _read(self) -> dict[str, bool]:
        """Read the answers; a file that is absent or broken has none."""
        try:
            return msgspec.json.decode(workspace.look(self._place)[1], type=dict[str, bool])
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return {}

    def _write(self, known: dict[str, bool]) -> None:
        workspace.write_atomically(self._place, msgspec.json.encode(known))
