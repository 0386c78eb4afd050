"""Lays out a jaxpr next to its source: each equation beside the line it came from."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from msgspec import Struct

from jaxtutor.core.repl.messages import Line, Page, PageStyle

NARROW = 60
"""Columns below which source and equations are written one below the other."""


class Row(Struct, frozen=True):
    """One line of a jaxpr, and the line of source it came from; number 0 if unknown."""

    text: str
    source: str = ""
    number: int = 0
    file: str = ""


def beside_page(rows: Sequence[Row], look: PageStyle) -> Page:
    """Write source on the left and equations on the right; repeated lines of source only once."""
    if look.plain or look.width < NARROW:
        return tuple(_under(rows, look))
    return tuple(_beside(rows, look))


def _beside(rows: Sequence[Row], look: PageStyle) -> Iterator[Line]:
    sources = _sources(rows)
    left = min(max((len(_head(row, sources)) for row in rows), default=0), look.width // 2 - 3)
    room = look.width - left - 3
    before = (0, "")
    for row in rows:
        is_new = (row.number, row.file) != before and row.number > 0
        before = (row.number, row.file)
        head = _head(row, sources) if is_new else ""
        for index, piece in enumerate(_pieces(row.text, room)):
            shown = head if index == 0 else ""
            yield ((f"{_cut(shown, left):<{left}}", "code"), ("   ", ""), (piece, ""))


def _under(rows: Sequence[Row], look: PageStyle) -> Iterator[Line]:
    sources = _sources(rows)
    before = (0, "")
    for row in rows:
        if row.number and (row.number, row.file) != before:
            yield ((_cut(_head(row, sources), look.width), "code"),)
        before = (row.number, row.file) if row.number else before
        for piece in _pieces(row.text, look.width - 4):
            yield (("    " if row.number else "", ""), (piece, ""))


def _sources(rows: Sequence[Row]) -> dict[tuple[str, int], str]:
    """Remove the common indentation of the lines shown."""
    lines = {(row.file, row.number): row.source for row in rows if row.number}
    text = textwrap.dedent("\n".join(lines.values())) if lines else ""
    return dict(zip(lines, text.split("\n"), strict=False))


def _head(row: Row, sources: dict[tuple[str, int], str]) -> str:
    if not row.number:
        return ""
    return f"{row.number:>3}  {sources.get((row.file, row.number), '').rstrip()}"


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: max(room - 3, 0)] + "..."


def _pieces(text: str, room: int) -> list[str]:
    indent = " " * (len(text) - len(text.lstrip()) + 4)
    return textwrap.wrap(
        text,
        max(room, 20),
        subsequent_indent=indent[: room // 3],
        drop_whitespace=False,
        break_on_hyphens=False,
    ) or [text]
