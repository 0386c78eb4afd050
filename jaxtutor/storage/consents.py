"""Remembers in which folders an editor may run programs."""

from __future__ import annotations

from pathlib import Path

import msgspec

from jaxtutor.storage import workspace


class Consents:
    """The answers of a person, by folder, in a file that all editors share.

    An answer is for the folder and what is in it, whatever its files contain later.
    """

    def __init__(self, place: Path) -> None:
        self._place = place

    def answer(self, folder: Path) -> bool | None:
        """Return the answer for the nearest folder around this one; None if there is none."""
        known = self._read()
        found = (known.get(str(each)) for each in (folder, *folder.parents))
        return next((answer for answer in found if answer is not None), None)

    def remember(self, folder: Path, may_run: bool) -> None:
        """Keep an answer. Raises TutorError if it cannot be written."""
        self._write({**self._read(), str(folder): may_run})

    def forget(self, folder: Path | None = None) -> int:
        """Forget the answers for a folder and what is in it, or all; return how many there were."""
        known = self._read()
        kept = {
            name: answer
            for name, answer in known.items()
            if folder is not None and not Path(name).is_relative_to(folder)
        }
        if kept != known:
            self._write(kept)
        return len(known) - len(kept)

    def _read(self) -> dict[str, bool]:
        """Read the answers; a file that is absent or broken has none."""
        try:
            return msgspec.json.decode(workspace.look(self._place)[1], type=dict[str, bool])
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return {}

    def _write(self, known: dict[str, bool]) -> None:
        workspace.write_atomically(self._place, msgspec.json.encode(known))
