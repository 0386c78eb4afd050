"""Owns the history of the prompt: one file for each workspace, added to and never rewritten."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from jaxtutor.storage.workspace import Workspace, explain

LONGEST = 64 * 1024


def open_history(workspace: Workspace, say: Callable[[str], None]) -> History:
    """Open the workspace's history; one that cannot be used is left as it is, and said."""
    place = history_file(workspace)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists() and not place.is_file():
            raise IsADirectoryError(21, "it is not a file")
        with place.open("ab+") as file:
            file.seek(0)
            file.read(1)
    except OSError as error:
        say(
            f"The history in {place} cannot be used: {explain(error)}. It is left as it is;"
            " what is entered now is remembered until you leave."
        )
        return InMemoryHistory()
    return HistoryFile(place, say)


def history_file(workspace: Workspace) -> Path:
    """Name the file of a workspace's history, by where the workspace is."""
    digest = hashlib.sha256(str(workspace.root).encode()).hexdigest()[:12]
    return workspace.data / "history" / f"{workspace.root.name}-{digest}.txt"


class HistoryFile(FileHistory):
    """A history in a file, as the library asks for one; what is ours is that it never raises."""

    def __init__(self, place: Path, say: Callable[[str], None]) -> None:
        self._say = say
        self._is_well = True
        super().__init__(str(place))

    def load_history_strings(self) -> list[str]:
        """Read what was entered, the last first."""
        with suppress(OSError):
            return list(super().load_history_strings())
        return []

    def store_string(self, string: str) -> None:
        """Add an entry; where the disk refuses, that is said once."""
        if len(string) > LONGEST:
            return
        try:
            super().store_string(string)
        except OSError as error:
            if self._is_well:
                self._say(f"The history could not be written: {explain(error)}.")
            self._is_well = False
