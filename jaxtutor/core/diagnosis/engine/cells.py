"""Tells what differs from a file in a cell: a prompt displays the value of its last expression."""

from __future__ import annotations

import ast

from jaxtutor.core.data.diagnoses import Diagnosis

DROPPED = ("at-set-result-dropped", "update-result-dropped")
"""Causes that do not hold where the dropped result is displayed, and kept as `_`."""


def displayed_place(cell: str) -> tuple[int, int] | None:
    """Return line and column of a cell's last expression, if a prompt displays its value."""
    if cell.rstrip().endswith(";"):
        return None
    try:
        body = ast.parse(cell).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    last = body[-1] if body else None
    return (last.lineno, last.col_offset) if isinstance(last, ast.Expr) else None


def is_displayed(found: Diagnosis, place: tuple[int, int] | None) -> bool:
    """Return whether a finding is a dropped result that is displayed, and so not dropped."""
    at = (found.span.line, found.span.column) if found.span is not None else None
    return found.cause in DROPPED and at is not None and at == place
