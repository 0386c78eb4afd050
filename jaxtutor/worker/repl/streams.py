"""Sends all that a cell prints to one pipe, and closes standard input."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import sys
from typing import Any, TextIO

from jaxtutor.core.data import wire

KEPT_FD = 191
NO_KEYBOARD = "There is no keyboard for a cell: write the value into it instead."


class ClosedInput(io.TextIOBase):
    """Replaces standard input and explains that it is not available."""

    def readable(self) -> bool:
        """Return True, so that readers call `read`."""
        return True

    def read(self, *_: Any) -> str:
        """Raise EOFError with advice."""
        raise EOFError(NO_KEYBOARD)

    readline = read  # type: ignore[assignment]


class Streams:
    """The worker's standard streams, restored after each cell."""

    def __init__(self, token: bytes) -> None:
        self._token = token
        self._kept = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, KEPT_FD)
        self._keyboard = ClosedInput()
        os.dup2(self._kept, 2)  # both streams share a pipe, so that output keeps its order
        self.restore()

    def restore(self) -> None:
        """Restore the file descriptors and Python's standard streams."""
        os.dup2(self._kept, 1)
        os.dup2(self._kept, 2)
        sys.stdin = sys.__stdin__ = self._keyboard  # type: ignore[misc,assignment]
        sys.stdout = sys.__stdout__ = _usable(sys.stdout, 1)  # type: ignore[misc,assignment]
        sys.stderr = sys.__stderr__ = _usable(sys.stderr, 2)  # type: ignore[misc,assignment]

    def end_cell(self, name: str) -> None:
        """Flush what was printed, then write the mark that ends a cell's output."""
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(BaseException):
                stream.flush()
        self.restore()
        with contextlib.suppress(OSError):
            os.write(self._kept, wire.mark(self._token, name))


def _usable(stream: Any, descriptor: int) -> TextIO:
    """Return the stream if it still writes to its descriptor, else a new one."""
    try:
        is_whole = type(stream) is io.TextIOWrapper and not stream.closed
        if is_whole and stream.fileno() == descriptor and stream.line_buffering:
            return stream  # type: ignore[no-any-return]
    except BaseException:  # the stream may be an object of the learner's
        pass
    raw = io.FileIO(descriptor, "w", closefd=False)
    return io.TextIOWrapper(
        io.BufferedWriter(raw), "utf-8", "backslashreplace", line_buffering=True
    )
