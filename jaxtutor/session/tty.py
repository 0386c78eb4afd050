"""Controls the terminal: its modes, its size, writing to it; and wakes its event loop."""

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
# XTWINOPS 22 and 23 save and restore the title, which a killed editor does not do itself.
ENTER_SCREEN = b"\x1b[22;0t\x1b[?1049h" + CLEAR_SCREEN
LEAVE_SCREEN = LEAVE + b"\x1b[?1049l\x1b[23;0t"
LATE_ANSWERS = 0.05
"""Seconds that answers to an editor's queries may take to arrive after the editor has ended."""
POLL_SECONDS = 0.1
WRITE_TIMEOUT = 2.0
"""Seconds to wait for a blocked terminal after a termination signal."""


class Terminal:
    """The terminal of a session; `held` puts it into raw mode."""

    def __init__(self, plain: bool, encoding: str, keys: int = 0, screen: int = 1) -> None:
        self.encoding = encoding
        self.keys = keys
        self.is_ending = False
        """Set when a signal asked us to end: a blocked terminal is then no longer waited for."""
        self._deadline: float | None = None
        self._screen = screen
        self._output = _open_again(screen)
        self._plain = plain
        self._modes = termios.tcgetattr(keys)

    @property
    def modes(self) -> list[object]:
        """The modes of the terminal before `enter`."""
        return list(self._modes)

    @property
    def name(self) -> str:
        """The path of the terminal; empty if it has none, or if its screen is not changed."""
        try:
            return "" if self._plain else os.ttyname(self._screen)
        except OSError:
            return ""

    @property
    def output(self) -> int:
        """The descriptor for output. It is not 0, 1 or 2, which a child's own files replace."""
        return self._output

    def size(self) -> tuple[int, int]:
        """Return columns and rows; the default is 80 by 24 if the terminal does not report them."""
        try:
            columns, rows = os.get_terminal_size(self._screen)
        except OSError:
            columns, rows = 0, 0
        return (max(columns, 20) if columns else 80), (max(rows, 3) if rows else 24)

    def write(self, data: bytes) -> None:
        """Write everything. If the terminal is gone, nothing is written; `read` reports that."""
        view = memoryview(data)
        with contextlib.suppress(OSError):
            while view:
                try:
                    view = view[os.write(self._output, view) :]
                except BlockingIOError:
                    if not self._wait_until_writable():
                        return

    def _wait_until_writable(self) -> bool:
        """Wait until the terminal accepts output; return False after the timeout."""
        while not select.select([], [self._output], [], POLL_SECONDS)[1]:
            if self.is_ending:
                self._deadline = self._deadline or time.monotonic() + WRITE_TIMEOUT
                if time.monotonic() > self._deadline:
                    return False
        return True

    def read(self) -> bytes:
        """Read input; empty bytes mean that the terminal is gone."""
        with contextlib.suppress(OSError):
            while True:
                try:
                    return os.read(self.keys, 1 << 16)
                except BlockingIOError:
                    select.select([self.keys], [], [])
        return b""

    def enter(self) -> None:
        """Switch to raw mode and to the alternate screen."""
        with contextlib.suppress(termios.error):
            tty.setraw(self.keys, termios.TCSADRAIN)
        if not self._plain:
            self.write(ENTER_SCREEN)

    def leave(self, wait: float = LATE_ANSWERS) -> None:
        """Restore the screen and the modes, and discard late answers to queries."""
        self.write(b"" if self._plain else LEAVE_SCREEN)
        if wait:
            time.sleep(wait)
        with contextlib.suppress(termios.error, OSError):
            if wait:
                termios.tcflush(self.keys, termios.TCIFLUSH)
            # TCSADRAIN waits for output, for ever if the terminal is blocked (termios(3)).
            when = termios.TCSANOW if self._deadline else termios.TCSADRAIN
            termios.tcsetattr(self.keys, when, self._modes)

    def clear(self) -> None:
        """Reset what an editor left behind, and discard late answers to queries."""
        self.write(LEAVE)
        time.sleep(LATE_ANSWERS)
        with contextlib.suppress(termios.error, OSError):
            termios.tcflush(self.keys, termios.TCIFLUSH)
        self.write(CLEAR_SCREEN)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the terminal, and restore it whatever happens."""
        self.enter()
        try:
            yield
        finally:
            self.leave()
            os.close(self._output)


def restore(output: int, modes: list[object]) -> None:
    """Restore the terminal of a session that was killed, in a process that is still there.

    The modes are restored only if they are still those of the session: a shell may have its own.
    """
    with contextlib.suppress(OSError):
        os.write(output, LEAVE_SCREEN)
    with contextlib.suppress(termios.error, OSError):
        if not termios.tcgetattr(output)[1] & termios.OPOST:
            termios.tcsetattr(output, termios.TCSANOW, modes)  # type: ignore[arg-type]


def restore_named(path: str) -> None:
    """Restore the screen of the terminal with this path."""
    with contextlib.suppress(OSError):
        output = os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            os.write(output, LEAVE_SCREEN)
        finally:
            os.close(output)


def _open_again(screen: int) -> int:
    """Open the terminal again, non-blocking.

    O_NONBLOCK belongs to the open file description, which we share with the shell (open(2)). A
    second one leaves theirs unchanged.
    """
    try:
        return os.open(os.ttyname(screen), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:  # it has no name here, or belongs to another user
        return os.dup(screen)


class Wake:
    """A pipe that lets signals and other threads wake a select loop."""

    def __init__(self) -> None:
        self.read, self._write = os.pipe()
        os.set_blocking(self.read, False)
        os.set_blocking(self._write, False)

    def __call__(self) -> None:
        """Wake the loop; safe in a signal handler."""
        with contextlib.suppress(BlockingIOError):  # the pipe is full, so the loop wakes anyway
            os.write(self._write, b"x")

    def clear(self) -> None:
        """Discard the pending wake-ups."""
        with contextlib.suppress(BlockingIOError):
            os.read(self.read, 4096)

    @contextmanager
    def on(self, *signals: signal.Signals, then: Callable[[int], None]) -> Iterator[None]:
        """Handle these signals by calling `then` and waking the loop."""

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
        """Close the pipe."""
        os.close(self.read)
        os.close(self._write)
