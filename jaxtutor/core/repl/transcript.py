"""Keeps the session as one file, in which each cell has its own line numbers.

The prompt shows these numbers. An error in a function from an earlier cell is located as it would
be in a script.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence

from msgspec import Struct

from jaxtutor.core.diagnosis.engine.cells import displayed_place

FILE = "<prompt>"
PRELUDE = "import jax, jax.numpy as jnp, numpy as np"

_DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Cell(Struct, frozen=True):
    """One cell: its source, its first line, and what it does."""

    line: int
    source: str
    defines: frozenset[str] = frozenset()
    only_defines: bool = False
    only_looks: bool = False

    @property
    def last(self) -> int:
        """The number of its last line."""
        return self.line + self.source.count("\n")

    def holds(self, line: int) -> bool:
        """Return whether a line belongs to the cell."""
        return self.line <= line <= self.last


class Transcript:
    """The cells so far.

    At a terminal the prelude is line 1. A file that is run has its own line numbers, so the prelude
    comes after it.
    """

    def __init__(self, is_text: bool = False) -> None:
        self.cells: list[Cell] = []
        self._tail = PRELUDE if is_text else ""
        if not is_text:
            self.add(PRELUDE)

    @property
    def next_line(self) -> int:
        """The first line of the next cell."""
        return self.cells[-1].last + 1 if self.cells else 1

    def add(self, source: str, line: int | None = None) -> Cell:
        """Add a cell at the end, or at a later line."""
        first = max(line or 0, self.next_line)
        self.cells.append(_read(first, source))
        return self.cells[-1]

    def forget(self) -> None:
        """Drop the cells, whose names are lost; line numbers continue."""
        last = self.next_line - 1
        self.cells = [cell for cell in self.cells if cell.source == PRELUDE]
        if last >= self.next_line:
            self.cells.append(Cell(last, ""))

    def cell_at(self, line: int) -> Cell | None:
        """Return the cell that contains a line."""
        return next((cell for cell in reversed(self.cells) if cell.holds(line)), None)

    def text(self) -> str:
        """Return the text of the whole session."""
        return self._write([cell.source for cell in self.cells])

    def source(self, mentioned: Collection[int] = ()) -> str:
        """Return the session as the program it is now, with unchanged line numbers.

        Cells that only showed values are blank, and so are definitions that a later cell replaced,
        except for the last cell and the cells with mentioned lines.
        """
        known: set[str] = set()
        texts: list[str] = []
        for index, cell in enumerate(reversed(self.cells)):
            is_past = cell.only_looks or (cell.only_defines and cell.defines <= known)
            keep = index == 0 or not is_past or any(cell.holds(line) for line in mentioned)
            known |= cell.defines if keep else set()
            texts.append(cell.source if keep else "")
        return self._write(texts[::-1])

    def displayed_place(self) -> tuple[int, int] | None:
        """Return line and column of the last cell's last expression, if its value is displayed."""
        cell = self.cells[-1]
        place = displayed_place(cell.source)
        return (cell.line + place[0] - 1, place[1]) if place is not None else None

    def last_alone(self) -> str:
        """Return only the last cell and the prelude, with unchanged line numbers."""
        last = len(self.cells) - 1
        texts = [
            cell.source if index == last or cell.source == PRELUDE else ""
            for index, cell in enumerate(self.cells)
        ]
        return self._write(texts)

    def _write(self, texts: Sequence[str]) -> str:
        lines: list[str] = []
        for cell, text in zip(self.cells, texts, strict=True):
            lines += [""] * (cell.line - 1 - len(lines))
            lines += text.split("\n")
        return "\n".join([*lines, self._tail]) + "\n"


def _read(line: int, source: str) -> Cell:
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return Cell(line, source, only_looks=True)
    defined = [node.name for node in body if isinstance(node, _DEFINITIONS)]
    return Cell(
        line,
        source,
        frozenset(defined),
        only_defines=bool(body) and len(defined) == len(body),
        only_looks=all(isinstance(node, ast.Expr) for node in body),
    )
