"""Owns the cause in which `&` and `|` bind tighter than was meant."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.rules import Match
from jaxtutor.core.diagnosis.source import Module


def is_swallowed(module: Module, node: ast.AST) -> bool:
    """Tell whether `&` or `|` took part of a comparison by mistake: `a < b & c`.

    Beside a lone `==` it may be meant: `n & 1 == 0` tests a bit.
    """
    if not isinstance(node, ast.Compare):
        return False
    operands = [node.left, *node.comparators]
    for position, operand in enumerate(operands):
        if not _is_bitwise(operand) or _is_in_parentheses(module, operand):
            continue
        is_between = 0 < position < len(operands) - 1
        beside = node.ops[max(position - 1, 0)]
        if is_between or isinstance(beside, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
            return True
    return False


def _is_bitwise(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr)


def _is_in_parentheses(module: Module, node: ast.expr) -> bool:
    span = module.span(node)
    before = module.lines[span.line - 1][: span.column].rstrip()
    after = module.lines[span.end_line - 1][span.end_column :].lstrip()
    return before.endswith("(") and after.startswith(")")


def precedence(context: FailureContext) -> Match | None:
    """A comparison without parentheses raised, for its array's truth or its operands' types."""
    frame = context.frame
    if frame is None or frame.node is None:
        return None
    said = ("truth value of an array", "does not accept dtype", "unsupported operand type(s) for &")
    asked = context.error == "TracerBoolConversionError"
    if not asked and not any(words in context.message for words in said):
        return None
    around = [frame.node, *frame.module.ancestors(frame.node)]
    found = [n for n in around[:4] if is_swallowed(frame.module, n)]
    return Match(frame.place(found[0])) if found else None


MATCHERS = (("operator-precedence", precedence),)
