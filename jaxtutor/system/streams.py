"""Owns standard input, output and error as they are found: closed, full, gone, or of few letters.

What cannot be written is said once, on standard error; from then on nothing more is tried. A letter
that a stream does not have becomes the nearest one that it has.
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
"""The exit status of a program whose reader has had enough, as `head` has: 128 and SIGPIPE."""
NEAREST = "nearest"
_IN, _OUT, _ERROR = range(3)
# ruff: noqa: RUF001 - letters that look like others are what this is about
_ALIKE = {
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
        ("\u2044", "/"),  # what the halves of a fraction fall into
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
    """Replace what a stream has no letter for: a sign by one that looks like it, else by `?`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    found = map(_nearest, error.object[error.start : error.end])
    return "".join(found), error.end


def _nearest(letter: str) -> str:
    if letter in _ALIKE:
        return _ALIKE[letter]
    parts = unicodedata.normalize("NFKD", letter)
    return "".join(it if it.isascii() else _ALIKE.get(it, "") for it in parts) or "?"


codecs.register_error(NEAREST, find_nearest)


def take_over() -> None:
    """Put what can be relied on in place of the standard streams."""
    for descriptor in (_IN, _OUT, _ERROR):
        _hold(descriptor)
    if sys.stdin is None:
        sys.stdin = open(_IN, encoding="utf-8", closefd=False)  # noqa: SIM115 - never closed
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr, unused-ignore]
    sys.stdout = _wrap(sys.stdout, _Output(_OUT, "w", closefd=False))
    sys.stderr = _wrap(sys.stderr, _Errors(_ERROR, "w", closefd=False))


def _hold(descriptor: int) -> None:
    """See that a number is no pipe's of ours: a closed stream's is given to the next one opened.

    A closed output is one that fails when it is written to, which is said like any other failure.
    """
    try:
        os.fstat(descriptor)
    except OSError:
        way = os.O_WRONLY if descriptor == _ERROR else os.O_RDONLY
        if (found := os.open(os.devnull, way)) != descriptor:
            os.dup2(found, descriptor)
            os.close(found)


def _wrap(found: TextIO | None, raw: io.FileIO) -> io.TextIOWrapper:
    """Make a stream that has the encoding and the manners of the one that was found."""
    encoding = found.encoding if found else "utf-8"
    stream = io.TextIOWrapper(io.BufferedWriter(raw), encoding, NEAREST)
    if isinstance(found, io.TextIOWrapper):
        stream.reconfigure(line_buffering=found.line_buffering, write_through=found.write_through)
    return stream


class _Output(io.FileIO):
    """Standard output, which says once that it takes nothing."""

    def write(self, data: Any, /) -> int:
        """Write, and wait for a stream that another program has set not to block."""
        try:
            while (written := super().write(data)) is None:
                select.select([], [self], [])
        except OSError as error:
            self._forget()
            self._tell(error)
            return memoryview(data).nbytes
        return written

    def _forget(self) -> None:
        """Lead what is written from now on nowhere: what is held back would fail again."""
        with suppress(OSError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)

    def _tell(self, error: OSError) -> None:
        if error.errno == errno.EPIPE:
            raise SystemExit(READER_GONE)
        raise OutputError(
            f"Standard output cannot be written: {error.strerror}.",
            "Nothing of yours is lost. Free some space, or lead it elsewhere.",
        ) from error


class _Errors(_Output):
    """Standard error: there is nobody left to tell."""

    def _tell(self, error: OSError) -> None:
        del error
