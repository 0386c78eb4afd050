"""Divides Python source into its words, strings, numbers and comments, to show them in colours."""

from __future__ import annotations

import keyword
import token
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple


class Piece(NamedTuple):
    """A stretch of one line, in characters, and its kind: `keyword`, `string`, …"""

    start: int
    end: int
    kind: str


def pieces_by_line(source: str) -> Mapping[int, Sequence[Piece]]:
    """Return the pieces of each line that are of some kind; up to an error, if there is one."""
    found: dict[int, list[Piece]] = {}
    lines = source.splitlines()
    try:
        for item in tokenize.generate_tokens(iter(source.splitlines(keepends=True)).__next__):
            if kind := _kind(item):
                for line, start, end in _stretches(item, lines):
                    found.setdefault(line, []).append(Piece(start, end, kind))
    except (tokenize.TokenError, SyntaxError):
        pass
    return found


def _kind(item: tokenize.TokenInfo) -> str:
    name = token.tok_name[item.type]
    if name == "NAME":
        return "keyword" if keyword.iskeyword(item.string) else ""
    if "STRING" in name:  # FSTRING_MIDDLE, too
        return "string"
    return {"NUMBER": "number", "COMMENT": "comment", "OP": "operator"}.get(name, "")


def _stretches(item: tokenize.TokenInfo, lines: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield the lines of a token, and where it begins and ends in them."""
    (first, begin), (last, end) = item.start, item.end
    for line in range(first, min(last, len(lines)) + 1):
        start = begin if line == first else 0
        yield line, start, end if line == last else len(lines[line - 1])
