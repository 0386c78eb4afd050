"""Reads the lines that the problem of a page shows: `FUNCTION(…)  # ANSWER`."""

from __future__ import annotations

import ast
import math
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_LITERAL = (
    ast.Expression,
    ast.Constant,
    ast.List,
    ast.Tuple,
    ast.Dict,
    ast.UnaryOp,
    ast.USub,
    ast.Name,
    ast.Load,
)
_NUMBERS = {"nan": math.nan, "inf": math.inf}


class _NamedNumbers(ast.NodeTransformer):
    """Replaces the names of numbers, which are not literals in Python."""

    def visit_Name(self, node: ast.Name) -> ast.Constant:
        return ast.Constant(_NUMBERS[node.id])


@dataclass(frozen=True)
class ShownLine:
    """A statement of a shown block. Of an expression, `answer` is what its comment states."""

    code: str
    line: int
    is_call: bool
    has_answer: bool = False
    answer: Any = None


def read_shown(source: str) -> Iterator[ShownLine]:
    """Yield the statements of a shown block. Raises SyntaxError."""
    comments = _comments(source)
    for statement in ast.parse(source).body:
        code, line = ast.unparse(statement), statement.lineno
        if not isinstance(statement, ast.Expr):
            yield ShownLine(code, line, False)
            continue
        found = read_literal(comments.get(statement.end_lineno or line, ""))
        yield ShownLine(code, line, True, bool(found), found[0] if found else None)


def _comments(source: str) -> dict[int, str]:
    tokens = tokenize.generate_tokens(iter(source.splitlines(keepends=True)).__next__)
    return {it.start[0]: it.string.lstrip("# ") for it in tokens if it.type == tokenize.COMMENT}


def read_literal(text: str) -> tuple[Any] | None:
    """Return the literal at the beginning of a comment: 4.0 of `4.0, and its dtype is float32`.

    None if there is none, or if an ellipsis stands for a part of it.
    """
    for end in range(len(text), 0, -1):
        if text[end - 1] in ", ;" or text[end : end + 1] not in ("", " ", ",", ";", ":"):
            continue
        try:
            tree = ast.parse(text[:end], mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if all(_is_literal(node) for node in ast.walk(tree)):
            return (ast.literal_eval(_NamedNumbers().visit(tree)),)
    return None


def _is_literal(node: ast.AST) -> bool:
    if isinstance(node, ast.Name):
        return node.id in _NUMBERS
    if isinstance(node, ast.Constant):
        elided = isinstance(node.value, str) and "..." in node.value
        return node.value is not Ellipsis and not elided
    return isinstance(node, _LITERAL)
