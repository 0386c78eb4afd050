"""Owns the causes that come from arrays being immutable."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.rules import Match


def _store(context: FailureContext) -> tuple[FrameContext, ast.Subscript] | None:
    """Give the subscript that was assigned to, if the array refused it."""
    if context.error != "TypeError" or context.frame is None:
        return None
    if (
        "immutable" not in context.message
        and "does not support item assignment" not in context.message
    ):
        return None
    node = context.node
    target = node.target if isinstance(node, ast.AugAssign) else node
    return (context.frame, target) if isinstance(target, ast.Subscript) else None


def masked_assignment(context: FailureContext) -> Match | None:
    """An array is assigned to in place, where a mask is true."""
    found = _store(context) or _masked_update(context)
    if found is None or not _is_mask(found[0], found[1].slice):
        return None
    return Match(facts=_facts(found))


def _masked_update(context: FailureContext) -> tuple[FrameContext, ast.Subscript] | None:
    """Give the subscript of `x[mask] += v`, which fails where it reads."""
    node = context.node
    if context.error != "NonConcreteBooleanIndexError" or context.frame is None:
        return None
    is_target = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
    return (context.frame, node) if is_target and isinstance(node, ast.Subscript) else None


def _facts(found: tuple[FrameContext, ast.Subscript]) -> dict[str, str]:
    frame, target = found
    name = frame.module.text(_without_at(target.value))
    return {"name": name, "condition": frame.module.text(target.slice)}


def _is_mask(frame: FrameContext, index: ast.expr) -> bool:
    if isinstance(index, ast.Tuple):
        return any(_is_mask(frame, item) for item in index.elts)
    if isinstance(index, ast.Compare):
        return True
    if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.Invert):
        return True
    if isinstance(index, ast.BinOp) and isinstance(index.op, ast.BitAnd | ast.BitOr | ast.BitXor):
        return _is_mask(frame, index.left) or _is_mask(frame, index.right)
    if isinstance(index, ast.Call):
        return (frame.callee(index) or "").rpartition(".")[2].startswith(("is", "logical_"))
    fact = frame.fact(index)
    return fact is not None and fact.detail.startswith("bool[") and fact.detail != "bool[]"


def inplace_assignment(context: FailureContext) -> Match | None:
    """An array is assigned to in place."""
    found = _store(context) or _store_at_traced(context)
    return Match(facts=_facts(found)) if found is not None else None


def _store_at_traced(context: FailureContext) -> tuple[FrameContext, ast.Subscript] | None:
    """Give the subscript of `x.at[i] = v`, which asks for a traced i before it is refused."""
    frame, node = context.frame, context.node
    target = node.target if isinstance(node, ast.AugAssign) else node
    if frame is None or context.error != "TracerIntegerConversionError":
        return None
    if not isinstance(target, ast.Subscript) or not isinstance(target.ctx, ast.Store):
        return None
    base = _without_at(target.value)
    is_array = base is not target.value and frame.kind(base) in ("tracer", "array")
    return (frame, target) if is_array else None


def _without_at(node: ast.expr) -> ast.expr:
    is_at = isinstance(node, ast.Attribute) and node.attr == "at"
    return node.value if isinstance(node, ast.Attribute) and is_at else node


def boolean_mask(context: FailureContext) -> Match | None:
    """An array is indexed with a traced mask."""
    is_stored = isinstance(context.node, ast.Subscript) and isinstance(context.node.ctx, ast.Store)
    known = context.error == "NonConcreteBooleanIndexError" and not is_stored
    return Match() if known else None


MATCHERS = (
    ("boolean-mask-index", boolean_mask),
    ("masked-assignment", masked_assignment),
    ("inplace-assignment", inplace_assignment),
)
