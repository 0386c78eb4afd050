"""Owns the lines of a text: where Python's own tokenizer ends one, and what ends them in a file.

`str.splitlines` also cuts at form feeds, at Unicode's separators and at others that may stand in a
string or between two functions; the lines that Python and an editor count are then other ones.
"""

from __future__ import annotations

import difflib
import re
from itertools import accumulate

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_ENDS = "\r\n"


def whole_lines(text: str) -> list[str]:
    """Cut a text into its lines, each with what ends it; joined, they are the text again."""
    return _LINE.findall(text)


def split_lines(text: str) -> list[str]:
    """Cut a text into its lines, without what ends them."""
    return [line.rstrip(_ENDS) for line in whole_lines(text)]


def line_end(text: str) -> str:
    """Tell what ends the lines of a file, as the first of them has it."""
    first = _LINE.match(text)
    return first[0][len(first[0].rstrip(_ENDS)) :] or "\n" if first else "\n"


def with_line_feeds(text: str) -> str:
    """End every line of a text with a line feed alone, as Python itself reads it."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


class Offsets:
    """The places of a text by line, counted from 1, and column in characters."""

    def __init__(self, text: str) -> None:
        lines = whole_lines(text)
        self._starts = [0, *accumulate(map(len, lines))]
        self._ends = [
            start + len(line.rstrip(_ENDS))
            for start, line in zip(self._starts, lines, strict=False)
        ]

    def is_past_open_end(self, line: int) -> bool:
        """Tell whether a line comes after a last one that nothing ends."""
        ends_open = bool(self._ends) and self._ends[-1] == self._starts[-1] != self._starts[-2]
        return ends_open and line > len(self._ends)

    def offset(self, line: int, column: int) -> int:
        """Count the characters before a place; one past the end is the end of line or text."""
        if line > len(self._ends):
            return self._starts[-1]
        return min(self._starts[line - 1] + column, self._ends[line - 1])


# ---------------------------------------------------------------- diffs

_NO_END = "\n\\ No newline at end of file\n"


def unified(before: str, after: str, names: tuple[str, str]) -> str:
    """Write a unified diff as `patch` reads it; empty where nothing differs."""
    lines = difflib.unified_diff(diff_lines(before), diff_lines(after), *names)
    return "".join(line if line.endswith("\n") else f"{line}{_NO_END}" for line in lines)


def diff_lines(text: str) -> list[str]:
    """Cut a text at its line feeds only, as `diff` and `patch` do, and keep them."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def is_crlf(diff: str) -> bool:
    """Tell whether every line that a diff shows ends in both carriage return and line feed."""
    shown = [line for line in diff_lines(diff)[2:] if line[:1] in (" ", "-", "+")]
    return bool(shown) and all(line.endswith("\r\n") for line in shown)
