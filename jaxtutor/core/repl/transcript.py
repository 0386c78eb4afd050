"""Owns the session as one file: each cell has lines of its own, so that it is read like a script.

The prompt shows those line numbers. What was defined in one cell and fails in a later one is found
as it would be in a script.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence

from msgspec import Struct

FILE = "<prompt>"
PRELUDE = "import jax, jax.numpy as jnp, numpy as np"

_DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Cell(Struct, frozen=True):
    """What was entered at one prompt, the line it begins at, and what it is good for."""

    line: int
    source: str
    defines: frozenset[str] = frozenset()
    only_defines: bool = False
    only_looks: bool = False

    @property
    def last(self) -> int:
        """Its last line."""
        return self.line + self.source.count("\n")

    def holds(self, line: int) -> bool:
        """Tell whether a line is one of its."""
        return self.line <= line <= self.last


class Transcript:
    """The cells so far.

    At a terminal the prelude is the first line. A text that is run has lines of its own: there
    nothing comes before them, and the prelude is read after all else.
    """

    def __init__(self, is_text: bool = False) -> None:
        self.cells: list[Cell] = []
        self._tail = PRELUDE if is_text else ""
        if not is_text:
            self.add(PRELUDE)

    @property
    def next_line(self) -> int:
        """The line at which the next cell begins."""
        return self.cells[-1].last + 1 if self.cells else 1

    def add(self, source: str, line: int | None = None) -> Cell:
        """Put a cell at the end, or at a line beyond it."""
        first = max(line or 0, self.next_line)
        self.cells.append(_read(first, source))
        return self.cells[-1]

    def forget(self) -> None:
        """Drop what was defined, for its names are lost; the lines go on."""
        last = self.next_line - 1
        self.cells = [cell for cell in self.cells if cell.source == PRELUDE]
        if last >= self.next_line:
            self.cells.append(Cell(last, ""))

    def cell_at(self, line: int) -> Cell | None:
        """Find the cell that a line belongs to."""
        return next((cell for cell in reversed(self.cells) if cell.holds(line)), None)

    def text(self) -> str:
        """Write the whole session."""
        return self._write([cell.source for cell in self.cells])

    def source(self, mentioned: Collection[int] = ()) -> str:
        """Write the session as the program that it amounts to now, lines where they were.

        What only looked at values is left blank, and so is what a later cell defines anew, but for
        the last cell and those whose lines are mentioned.
        """
        known: set[str] = set()
        texts: list[str] = []
        for place, cell in enumerate(reversed(self.cells)):
            is_past = cell.only_looks or (cell.only_defines and cell.defines <= known)
            keep = place == 0 or not is_past or any(cell.holds(line) for line in mentioned)
            known |= cell.defines if keep else set()
            texts.append(cell.source if keep else "")
        return self._write(texts[::-1])

    def shown(self) -> tuple[int, int] | None:
        """Give line and column of the last cell's last expression, if its value is shown."""
        cell = self.cells[-1]
        if cell.source.rstrip().endswith(";"):
            return None
        try:
            body = ast.parse(cell.source).body
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            return None
        last = body[-1] if body else None
        if not isinstance(last, ast.Expr):
            return None
        return cell.line + last.lineno - 1, last.col_offset

    def last_alone(self) -> str:
        """Write the last cell where it stands, and nothing else but the prelude."""
        last = len(self.cells) - 1
        texts = [
            cell.source if place == last or cell.source == PRELUDE else ""
            for place, cell in enumerate(self.cells)
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
