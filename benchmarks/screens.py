"""Runs a program in a terminal, types keys, and waits for its output."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

ROWS, COLUMNS = 40, 120
LONG = 90.0
WHERE, HERE = b"\x1b[6n", b"\x1b[1;1R"


class Screen:
    """A program in its own terminal."""

    def __init__(
        self, command: Sequence[str], environ: Mapping[str, str], folder: Path | None = None
    ) -> None:
        self.handle, far = pty.openpty()
        termios.tcsetwinsize(far, (ROWS, COLUMNS))
        self.started = time.perf_counter()
        self.popen = subprocess.Popen(
            command,
            stdin=far,
            stdout=far,
            stderr=far,
            env=dict(environ),
            cwd=folder,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - one thread
        )
        os.close(far)
        self.seen = b""

    @property
    def pid(self) -> int:
        """The process id of the program."""
        return self.popen.pid

    def type(self, text: str) -> float:
        """Type keys and return the time. Earlier output is discarded."""
        self.seen = b""
        started = time.perf_counter()
        os.write(self.handle, text.encode())
        return started

    def until(self, *words: bytes) -> float:
        """Wait until the words have been written, one after another. Return the time."""
        end = time.perf_counter() + LONG
        while not self._has(words):
            if not self._take_any(end - time.perf_counter()):
                raise TimeoutError(f"{words} did not come: {self.seen[-2000:]!r}")
        return time.perf_counter()

    def take_for(self, seconds: float) -> None:
        """Read output for a time and discard it."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self.take(left)
        self.seen = b""

    def take_to_end(self) -> float:
        """Read output until the program ends. Return the time of the last output."""
        last = time.perf_counter()
        with contextlib.suppress(OSError):  # Linux: the program has closed the terminal
            while self.take(LONG):
                last = time.perf_counter()
        self.popen.wait()
        return last

    def _take_any(self, seconds: float) -> bool:
        try:
            return self.take(seconds)
        except OSError:  # how Linux reports that the program has closed the terminal
            return False

    def take(self, seconds: float) -> bool:
        """Read the next output. Return False if there is none within the timeout."""
        if not select.select([self.handle], [], [], max(seconds, 0))[0]:
            return False
        data = os.read(self.handle, 1 << 16)
        if WHERE in data:  # answer as a terminal does, else the prompt waits for it
            os.write(self.handle, HERE)
        self.seen += data
        return True

    def _has(self, words: tuple[bytes, ...]) -> bool:
        place = 0
        for word in words:
            place = self.seen.find(word, place)
            if place < 0:
                return False
            place += len(word)
        return True

    def close(self) -> None:
        """End the program."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.popen.pid, signal.SIGTERM)
        with contextlib.suppress(OSError):
            self.take_for(0.5)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait()
        os.close(self.handle)
