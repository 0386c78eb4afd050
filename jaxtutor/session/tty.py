"""Owns the terminal itself: its modes, its size, what is written to it, and waking its loop."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import termios
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from jaxtutor.core.terminal.output_filter import LEAVE

CLEAR_SCREEN = b"\x1b[?2004h\x1b[?25l\x1b[0m\x1b[2J\x1b[H"
# The title is put aside meanwhile: an editor that is killed leaves its own.
ENTER_SCREEN = b"\x1b[22;0t\x1b[?1049h" + CLEAR_SCREEN
LEAVE_SCREEN = LEAVE + b"\x1b[?1049l\x1b[23;0t"
LATE_ANSWERS = 0.05
"""How long answers to an editor's questions may still be on their way when it has ended."""
LOOK = 0.1
LAST_WORDS = 2.0
"""How long a terminal that takes nothing is waited for when we were told to end."""


class Terminal:
    """The terminal of a session, raw while it is held."""

    def __init__(self, plain: bool, encoding: str, keys: int = 0, screen: int = 1) -> None:
        self.encoding = encoding
        self.keys = keys
        self.is_ending = False
        """Whether we were told to end: then a terminal that takes nothing is not waited for."""
        self._end: float | None = None
        self._screen = screen
        self._pen = _open_anew(screen)
        self._plain = plain
        self._modes = termios.tcgetattr(keys)

    @property
    def modes(self) -> list[object]:
        """The modes that the terminal had before us."""
        return list(self._modes)

    def size(self) -> tuple[int, int]:
        """Return columns and rows; a terminal that does not know is taken for 80 by 24."""
        try:
            columns, rows = os.get_terminal_size(self._screen)
        except OSError:
            columns, rows = 0, 0
        return (max(columns, 20) if columns else 80), (max(rows, 3) if rows else 24)

    def write(self, data: bytes) -> None:
        """Write all of it. A terminal that is gone takes nothing; `read` tells of it."""
        view = memoryview(data)
        with contextlib.suppress(OSError):
            while view:
                try:
                    view = view[os.write(self._pen, view) :]
                except BlockingIOError:
                    if not self._await_room():
                        return

    def _await_room(self) -> bool:
        """Wait until the terminal takes something; False where that is waited for no longer."""
        while not select.select([], [self._pen], [], LOOK)[1]:
            if self.is_ending:
                self._end = self._end or time.monotonic() + LAST_WORDS
                if time.monotonic() > self._end:
                    return False
        return True

    def read(self) -> bytes:
        """Read what was typed; nothing means that the terminal is gone."""
        with contextlib.suppress(OSError):
            while True:
                try:
                    return os.read(self.keys, 1 << 16)
                except BlockingIOError:
                    select.select([self.keys], [], [])
        return b""

    def enter(self) -> None:
        """Take the whole screen and every key."""
        with contextlib.suppress(termios.error):
            tty.setraw(self.keys, termios.TCSADRAIN)
        if not self._plain:
            self.write(ENTER_SCREEN)

    def leave(self, wait: float = LATE_ANSWERS) -> None:
        """Give back the screen and the modes, and drop answers that come late."""
        self.write(b"" if self._plain else LEAVE_SCREEN)
        if wait:
            time.sleep(wait)
        with contextlib.suppress(termios.error, OSError):
            if wait:
                termios.tcflush(self.keys, termios.TCIFLUSH)
            # Draining would wait for a terminal that takes nothing.
            when = termios.TCSANOW if self._end else termios.TCSADRAIN
            termios.tcsetattr(self.keys, when, self._modes)

    def clear(self) -> None:
        """Undo what an editor left behind, and drop answers that come late."""
        self.write(LEAVE)
        time.sleep(LATE_ANSWERS)
        with contextlib.suppress(termios.error, OSError):
            termios.tcflush(self.keys, termios.TCIFLUSH)
        self.write(CLEAR_SCREEN)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the terminal, and give it back whatever happens."""
        self.enter()
        try:
            yield
        finally:
            self.leave()
            os.close(self._pen)


def _open_anew(screen: int) -> int:
    """Open the terminal so that writing does not block, which is nobody else's concern."""
    try:
        return os.open(os.ttyname(screen), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:  # it has no name here, or is another's
        return os.dup(screen)


class Wake:
    """Lets signals and other threads wake a loop."""

    def __init__(self) -> None:
        self.read, self._write = os.pipe()
        os.set_blocking(self.read, False)
        os.set_blocking(self._write, False)

    def __call__(self) -> None:
        """Wake the loop; from a signal handler too."""
        with contextlib.suppress(BlockingIOError):  # it will wake anyway
            os.write(self._write, b"x")

    def clear(self) -> None:
        """Forget the wakes so far."""
        with contextlib.suppress(BlockingIOError):
            os.read(self.read, 4096)

    @contextmanager
    def on(self, *signals: signal.Signals, then: Callable[[int], None]) -> Iterator[None]:
        """Be woken by these signals, after `then`; they do nothing else."""

        def handle(number: int, _: object) -> None:
            then(number)
            self()

        before = {number: signal.signal(number, handle) for number in signals}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def close(self) -> None:
        """Give the pipe back."""
        os.close(self.read)
        os.close(self._write)
