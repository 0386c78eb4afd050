"""Owns what a cell prints and reads: one pipe for all it prints, and nothing to read."""

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
    """Stands where standard input was, and says that there is none."""

    def readable(self) -> bool:
        """Say yes, so that readers come as far as `read`."""
        return True

    def read(self, *_: Any) -> str:
        """Raise EOFError with what to do instead."""
        raise EOFError(NO_KEYBOARD)

    readline = read  # type: ignore[assignment]


class Streams:
    """The worker's standard streams, put back after each cell whatever it did with them."""

    def __init__(self, token: bytes) -> None:
        self._token = token
        self._kept = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, KEPT_FD)
        self._keyboard = ClosedInput()
        os.dup2(self._kept, 2)  # what is printed keeps its order
        self.restore()

    def restore(self) -> None:
        """Give the cell's descriptors and Python's streams their meaning again."""
        os.dup2(self._kept, 1)
        os.dup2(self._kept, 2)
        sys.stdin = sys.__stdin__ = self._keyboard  # type: ignore[misc,assignment]
        sys.stdout = sys.__stdout__ = _usable(sys.stdout, 1)  # type: ignore[misc,assignment]
        sys.stderr = sys.__stderr__ = _usable(sys.stderr, 2)  # type: ignore[misc,assignment]

    def end_cell(self, name: str) -> None:
        """Write out what was printed, and after it the mark that this was all of it."""
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(BaseException):
                stream.flush()
        self.restore()
        with contextlib.suppress(OSError):
            os.write(self._kept, wire.mark(self._token, name))


def _usable(stream: Any, descriptor: int) -> TextIO:
    """Give a stream back if it still writes to its descriptor, else a new one."""
    try:
        is_whole = type(stream) is io.TextIOWrapper and not stream.closed
        if is_whole and stream.fileno() == descriptor and stream.line_buffering:
            return stream  # type: ignore[no-any-return]
    except BaseException:  # a class of the learner's
        pass
    raw = io.FileIO(descriptor, "w", closefd=False)
    return io.TextIOWrapper(
        io.BufferedWriter(raw), "utf-8", "backslashreplace", line_buffering=True
    )
