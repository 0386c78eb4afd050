"""Owns telling a running editor to open another file, where it has a way."""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
from pathlib import Path


class Remote:
    """The way to one running editor: neovim listens on a socket of ours."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._program = ""

    def arguments(self, name: str, program: str) -> tuple[str, ...]:
        """Return what an editor that is about to start must be told; mostly nothing."""
        if name != "nvim":
            return ()
        self._program = program
        self._folder = tempfile.TemporaryDirectory(prefix="jaxtutor-")
        return ("--listen", self._socket)

    @property
    def _socket(self) -> str:
        assert self._folder is not None, "an editor was started"
        return str(Path(self._folder.name) / "editor")

    def open(self, file: Path) -> bool:
        """Have the running editor open a file; False where it has no way, or does not answer."""
        if not self._program:
            return False
        quoted = str(file).replace("'", "''")
        expression = f"execute('drop ' . fnameescape('{quoted}'))"
        command = [self._program, "--server", self._socket, "--remote-expr", expression]
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            asked = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=3
            )
            return asked.returncode == 0 and not asked.stderr
        return False

    def close(self) -> None:
        """Forget the editor, which has ended."""
        self._program = ""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
