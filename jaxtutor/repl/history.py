"""Stores the history of the prompt, one append-only file per workspace."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from jaxtutor.storage.workspace import Workspace, explain

LONGEST = 64 * 1024
"""Characters. Longer entries are not stored."""


def open_history(workspace: Workspace, report: Callable[[str], None]) -> History:
    """Open the workspace's history; if it cannot be used, report that and keep it in memory."""
    path = history_file(workspace)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            raise IsADirectoryError(21, "it is not a file")
        with path.open("ab+") as file:
            file.seek(0)
            file.read(1)
    except OSError as error:
        report(
            f"The history file {path} cannot be used: {explain(error)}. It was not changed."
            " Entries are remembered only until you leave."
        )
        return InMemoryHistory()
    return HistoryFile(path, report)


def history_file(workspace: Workspace) -> Path:
    """Return the path of a workspace's history file, named by a digest of the workspace's path."""
    digest = hashlib.sha256(str(workspace.root).encode()).hexdigest()[:12]
    return workspace.data / "history" / f"{workspace.root.name}-{digest}.txt"


class HistoryFile(FileHistory):
    """A FileHistory of prompt_toolkit that never raises OSError."""

    def __init__(self, path: Path, report: Callable[[str], None]) -> None:
        self._report = report
        self._is_writable = True
        super().__init__(str(path))

    def load_history_strings(self) -> list[str]:
        """Return the entries, the newest first."""
        with suppress(OSError):
            return list(super().load_history_strings())
        return []

    def store_string(self, string: str) -> None:
        """Append an entry; a first failure is reported, later ones are silent."""
        if len(string) > LONGEST:
            return
        try:
            super().store_string(string)
        except OSError as error:
            if self._is_writable:
                self._report(f"The history cannot be written: {explain(error)}.")
            self._is_writable = False
