"""Names what a compiled function has read from outside, and that is another value at a call."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from msgspec.structs import replace

from jaxtutor.core.data.observations import CapturedChange
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module
from jaxtutor.core.diagnosis.reading.names import last_part

_CHOOSING = (ast.If, ast.IfExp, ast.While, ast.Try, ast.Assert, ast.Raise, ast.JoinedStr)


def captured_change(spot: ObservedLocation[CapturedChange]) -> Finding | None:
    """A value that is part of the compiled program, while the program has another one by now."""
    if spot.node is None:
        return None
    found = spot.found(form="seen")
    return replace(found, is_certain=_is_plain_operand(spot.module, spot.node))


def _is_plain_operand(module: Module, node: ast.AST) -> bool:
    """Return whether a value goes into arithmetic, in no branch and no message."""
    is_operand = isinstance(module.parents.get(node), ast.BinOp | ast.UnaryOp)
    for outer in module.ancestors(node):
        if isinstance(outer, _CHOOSING):
            return False
        if isinstance(outer, FunctionNode):
            return is_operand
    return False


def is_named(found: Finding, others: Sequence[tuple[str, Finding]]) -> bool:
    """Return whether another finding, which knows more of the source, names the same value."""
    name = _last(found)
    return found.form == "seen" and any(
        slug in ("stale-global", "mutated-static-self")
        and other.form != "seen"
        and _last(other) == name
        for slug, other in others
    )


def _last(found: Finding) -> str:
    return last_part(found.facts.get("name", "")).partition("[")[0]
