"""Runs a program in a pty and records its output."""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import subprocess
import termios
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

KEPT = 1 << 16


class Terminal:
    """A program in its own terminal. Its output is read at once, so that it never blocks."""

    def __init__(
        self,
        command: Sequence[str],
        environ: Mapping[str, str],
        folder: Path,
        rows: int = 30,
        columns: int = 100,
    ) -> None:
        self.handle, far = pty.openpty()
        termios.tcsetwinsize(far, (rows, columns))
        self.popen = subprocess.Popen(
            command,
            stdin=far,
            stdout=far,
            stderr=far,
            env=dict(environ),
            cwd=folder,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - only that
        )
        os.close(far)
        self._seen = bytearray()
        self._changed = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self) -> None:
        while data := self._read_some():
            with self._changed:
                self._seen += data
                del self._seen[:-KEPT]
                self._changed.notify_all()

    def _read_some(self) -> bytes:
        with suppress(OSError):  # how Linux reports that the other end is closed
            return os.read(self.handle, KEPT)
        return b""

    def write(self, text: str) -> None:
        """Type a text."""
        data = text.encode()
        while data:
            data = data[os.write(self.handle, data) :]

    def forget(self) -> None:
        """Let `find` search only the output from now on."""
        with self._changed:
            self._seen.clear()

    def find(self, words: str, seconds: float) -> bool:
        """Wait until the words occur in the output, or until the timeout."""
        with self._changed:
            return self._changed.wait_for(lambda: words.encode() in self._seen, seconds)

    @property
    def text(self) -> str:
        """The latest output."""
        with self._changed:
            return self._seen.decode("utf-8", "replace")

    def resize(self, rows: int, columns: int) -> None:
        """Give the terminal another size."""
        termios.tcsetwinsize(self.handle, (rows, columns))

    def wait(self, seconds: float) -> int | None:
        """Wait for the program's end. Return its exit status, or None if it is still running."""
        with suppress(subprocess.TimeoutExpired):
            return self.popen.wait(seconds)
        return None

    def close(self) -> None:
        """End the program if it still runs, and close the terminal. A second call does nothing."""
        if self.handle < 0:
            return
        end = time.monotonic() + 10
        with suppress(ProcessLookupError):
            if self.popen.poll() is None:
                os.kill(self.popen.pid, signal.SIGTERM)
        while self.popen.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        self.popen.kill()
        self.popen.wait()
        self._reader.join(1)
        os.close(self.handle)
        self.handle = -1
