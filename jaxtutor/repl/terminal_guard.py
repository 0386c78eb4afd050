"""Restores the terminal when the prompt was killed and could not do so itself.

    python terminal_guard.py

The process waits in a session of its own. Its standard input brings the modes of the terminal, and
RELEASED when the prompt has restored them; without that, its end means that the prompt was killed.
Its standard output is the terminal.
"""

from __future__ import annotations

import marshal
import os
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress

RELEASED = b"."
LEAVE = b"\x1b[?2004l\x1b[?7h\x1b[0m\x1b[?25h"
"""No more bracketed paste; lines that wrap, plain text, and the cursor."""


@contextmanager
def guarding(terminal: int) -> Iterator[None]:
    """Have a terminal restored if this process is killed in the block."""
    try:
        guard = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__],
            stdin=subprocess.PIPE,
            stdout=terminal,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:  # no further process can be started
        yield
        return
    try:
        _send(guard, marshal.dumps(termios.tcgetattr(terminal)))
        yield
    finally:
        _send(guard, RELEASED)
        guard.communicate()


def _send(guard: subprocess.Popen[bytes], data: bytes) -> None:
    assert guard.stdin is not None
    with suppress(OSError):  # the guard was killed
        guard.stdin.write(data)
        guard.stdin.flush()


def main() -> None:
    """Wait for the end of the prompt."""
    modes = marshal.load(sys.stdin.buffer)
    if sys.stdin.buffer.read(1) != RELEASED:
        restore(1, modes)


def restore(terminal: int, modes: list[object]) -> None:
    """Restore a terminal; its modes only if no shell has set its own, which let keys signal."""
    with suppress(OSError):
        os.write(terminal, LEAVE)
    with suppress(termios.error):
        if not termios.tcgetattr(terminal)[3] & (termios.ICANON | termios.ISIG):
            termios.tcsetattr(terminal, termios.TCSANOW, modes)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
