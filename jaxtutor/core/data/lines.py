"""Splits text into lines exactly as Python's tokenizer does, and compares texts by lines.

`str.splitlines` also splits at form feeds, Unicode separators and other characters that may occur
in strings or between functions. Its line numbers then differ from those of Python and of editors.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_ENDS = "\r\n"


def whole_lines(text: str) -> list[str]:
    """Split a text into lines that keep their endings; joined, they are the text."""
    return _LINE.findall(text)


def split_lines(text: str) -> list[str]:
    """Split a text into lines without their endings."""
    return [line.rstrip(_ENDS) for line in whole_lines(text)]


def line_end(text: str) -> str:
    """Return the line ending of a file: that of its first line."""
    first = _LINE.match(text)
    return first[0][len(first[0].rstrip(_ENDS)) :] or "\n" if first else "\n"


def with_line_feeds(text: str) -> str:
    """Replace all line endings by line feeds, as Python does when it reads source."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def moved_lines(before: str, after: str, numbers: Sequence[int]) -> dict[int, int]:
    """Return where lines of a text are in an edited text; a replaced line is where its edit is."""
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, split_lines(before), split_lines(after), autojunk=False)
    moved = {}
    for kind, start, end, new_start, _ in matcher.get_opcodes():
        for number in numbers:
            if start < number <= end:
                moved[number] = new_start + (number - start if kind == "equal" else 1)
    return {number: moved.get(number, number) for number in numbers}


class Offsets:
    """Converts positions in a text to offsets: lines count from 1, columns in characters from 0."""

    def __init__(self, text: str) -> None:
        lines = whole_lines(text)
        self._starts = [0, *accumulate(map(len, lines))]
        self._ends = [
            start + len(line.rstrip(_ENDS))
            for start, line in zip(self._starts, lines, strict=False)
        ]

    def is_past_open_end(self, line: int) -> bool:
        """Return whether a line number is past a last line that has no line ending."""
        ends_open = bool(self._ends) and self._ends[-1] == self._starts[-1] != self._starts[-2]
        return ends_open and line > len(self._ends)

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a position; a position past the end of a line or text is clamped."""
        if line > len(self._ends):
            return self._starts[-1]
        return min(self._starts[line - 1] + column, self._ends[line - 1])


# ---------------------------------------------------------------- diffs

_NO_END = "\n\\ No newline at end of file\n"


def unified(before: str, after: str, names: tuple[str, str]) -> str:
    """Return a unified diff that `patch` accepts; empty if the texts are equal."""
    import difflib

    lines = difflib.unified_diff(diff_lines(before), diff_lines(after), *names)
    return "".join(line if line.endswith("\n") else f"{line}{_NO_END}" for line in lines)


def diff_lines(text: str) -> list[str]:
    """Split a text at line feeds only and keep them, as `diff` and `patch` do."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def is_crlf(diff: str) -> bool:
    """Return whether every line in a diff ends in a carriage return and a line feed."""
    shown = [line for line in diff_lines(diff)[2:] if line[:1] in (" ", "-", "+")]
    return bool(shown) and all(line.endswith("\r\n") for line in shown)
