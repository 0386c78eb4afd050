"""Finds the line of a submission that a sentence about a small change of the solution is about."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.judging.definitions import names_of, needed_by
from jaxtutor.core.judging.mutants import SIGNS

_WRITTEN = re.compile(
    r"in which (?:`(?P<found>[^`]+)` stands in"
    r"|two arguments of `(?P<call>\w+)` are swapped"
    r"|`\w+` of `(?P<without>\w+)` is left out)"
)
"""What the submission has where the slip is: the wrong name or operator, or the call."""


def add_line(says: str, source: str, function: str) -> str:
    """Add the line to a sentence about a slip, if only one line of the submission fits."""
    match = _WRITTEN.search(says)
    if match is None:
        return says
    word = next(filter(None, match.groups()))
    lines = set(_lines_with(word, source, function))
    return f"{says} Look at line {lines.pop()}." if len(lines) == 1 else says


def _lines_with(word: str, source: str, function: str) -> Iterator[int]:
    needed = needed_by(source, function)
    for statement in ast.parse(source).body if needed else ():
        if names_of(statement) & needed:
            for node in ast.walk(statement):
                if word in _words(node):
                    yield node.lineno  # type: ignore[attr-defined]


def _words(node: ast.AST) -> tuple[str | None, ...]:
    """Return the name, the operators or the value of an expression."""
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return (name,)
        case ast.BinOp(op=op):
            return (SIGNS.get(type(op)),)
        case ast.Compare(ops=ops):
            return tuple(SIGNS.get(type(op)) for op in ops)
        case ast.Constant(value=bool(value)):
            return (str(value),)
    return ()
