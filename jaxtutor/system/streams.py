"""Makes the standard streams reliable: they may be closed, full, disconnected or not UTF-8.

A failed write is reported once, on standard error, and later writes are dropped. Characters that
a stream's encoding lacks are replaced by similar ones.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import select
import sys
import unicodedata
from contextlib import suppress
from typing import Any, TextIO

from jaxtutor.errors import OutputError

READER_GONE = 141
"""Exit status when the reader has closed the pipe, as `head` does: 128 + SIGPIPE."""
NEAREST = "nearest"
_IN, _OUT, _ERROR = range(3)
# ruff: noqa: RUF001 - the table lists characters that look like others
_SIMILAR = {
    letter: nearest
    for letters, nearest in (
        ("•‣◦", "*"),
        ("·∙⋅", "."),
        ("─━═‐‑‒–—―−", "-"),
        ("│┃║", "|"),
        ("┌┐└┘├┤┬┴┼✓✔", "+"),
        ("‘’‛′", "'"),
        ("“”‟″", '"'),
        ("→⇒▶", ">"),
        ("←⇐◀", "<"),
        ("✗✘×", "x"),
        ("↑▲", "^"),
        ("↓▼", "v"),
        ("\u2044", "/"),  # the fraction slash, which NFKD yields for characters such as one half
        ("≈", "~"),
    )
    for letter in letters
} | {
    "…": "...",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "∞": "inf",
    "λ": "lambda",
    "π": "pi",
    "∂": "d",
    "√": "sqrt",
    "∑": "sum",
    "±": "+-",
}


def find_nearest(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that a stream cannot encode by similar ones, otherwise by `?`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    found = map(_nearest, error.object[error.start : error.end])
    return "".join(found), error.end


def _nearest(letter: str) -> str:
    if letter in _SIMILAR:
        return _SIMILAR[letter]
    parts = unicodedata.normalize("NFKD", letter)
    return "".join(it if it.isascii() else _SIMILAR.get(it, "") for it in parts) or "?"


codecs.register_error(NEAREST, find_nearest)


def take_over() -> None:
    """Replace the standard streams by reliable ones."""
    for descriptor in (_IN, _OUT, _ERROR):
        _reserve(descriptor)
    if sys.stdin is None:
        sys.stdin = open(_IN, encoding="utf-8", closefd=False)  # noqa: SIM115 - never closed
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr, unused-ignore]
    sys.stdout = _wrap(sys.stdout, _Output(_OUT, "w", closefd=False))
    sys.stderr = _wrap(sys.stderr, _Errors(_ERROR, "w", closefd=False))


def _reserve(descriptor: int) -> None:
    """Open a closed standard descriptor, so that no other file gets its number.

    open(2) returns the lowest free number. Standard output is opened read-only: writing to it then
    fails, and is reported like any other failure.
    """
    try:
        os.fstat(descriptor)
    except OSError:
        way = os.O_WRONLY if descriptor == _ERROR else os.O_RDONLY
        if (found := os.open(os.devnull, way)) != descriptor:
            os.dup2(found, descriptor)
            os.close(found)


def _wrap(found: TextIO | None, raw: io.FileIO) -> io.TextIOWrapper:
    """Create a stream with the encoding and buffering of the original."""
    encoding = found.encoding if found else "utf-8"
    stream = io.TextIOWrapper(io.BufferedWriter(raw), encoding, NEAREST)
    if isinstance(found, io.TextIOWrapper):
        stream.reconfigure(line_buffering=found.line_buffering, write_through=found.write_through)
    return stream


class _Output(io.FileIO):
    """Standard output; it reports its first error, and then drops what is written."""

    def write(self, data: Any, /) -> int:
        """Write; wait if another program has made the stream non-blocking."""
        try:
            while (written := super().write(data)) is None:
                select.select([], [self], [])
        except OSError as error:
            self._discard_output()
            self._report(error)
            return memoryview(data).nbytes
        return written

    def _discard_output(self) -> None:
        """Redirect the stream to the null device: its buffer would fail again when flushed."""
        with suppress(OSError):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, self.fileno())
            os.close(null)

    def _report(self, error: OSError) -> None:
        if error.errno == errno.EPIPE:
            raise SystemExit(READER_GONE)
        raise OutputError(
            f"Standard output cannot be written to: {error.strerror}.",
            "Your files and progress are safe. Free some disk space, or redirect it elsewhere.",
        ) from error


class _Errors(_Output):
    """Standard error; its own failures cannot be reported anywhere."""

    def _report(self, error: OSError) -> None:
        del error
