"""Owns the causes that come from arrays being immutable."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.context import FailureContext, FrameContext, Match


def _store(scene: FailureContext) -> tuple[FrameContext, ast.Subscript] | None:
    """Give the subscript that was assigned to, if the array refused it."""
    if scene.error != "TypeError" or scene.level is None:
        return None
    if "immutable" not in scene.message and "does not support item assignment" not in scene.message:
        return None
    node = scene.node
    target = node.target if isinstance(node, ast.AugAssign) else node
    return (scene.level, target) if isinstance(target, ast.Subscript) else None


def masked_assignment(scene: FailureContext) -> Match | None:
    """An array is assigned to in place, where a mask is true."""
    found = _store(scene) or _masked_update(scene)
    if found is None or not _is_mask(found[0], found[1].slice):
        return None
    return Match(facts=_facts(found))


def _masked_update(scene: FailureContext) -> tuple[FrameContext, ast.Subscript] | None:
    """Give the subscript of `x[mask] += v`, which fails where it reads."""
    node = scene.node
    if scene.error != "NonConcreteBooleanIndexError" or scene.level is None:
        return None
    is_target = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
    return (scene.level, node) if is_target and isinstance(node, ast.Subscript) else None


def _facts(found: tuple[FrameContext, ast.Subscript]) -> dict[str, str]:
    level, target = found
    name = level.module.text(_without_at(target.value))
    return {"name": name, "condition": level.module.text(target.slice)}


def _is_mask(level: FrameContext, index: ast.expr) -> bool:
    if isinstance(index, ast.Tuple):
        return any(_is_mask(level, item) for item in index.elts)
    if isinstance(index, ast.Compare):
        return True
    if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.Invert):
        return True
    if isinstance(index, ast.BinOp) and isinstance(index.op, ast.BitAnd | ast.BitOr | ast.BitXor):
        return _is_mask(level, index.left) or _is_mask(level, index.right)
    if isinstance(index, ast.Call):
        return (level.callee(index) or "").rpartition(".")[2].startswith(("is", "logical_"))
    fact = level.fact(index)
    return fact is not None and fact.detail.startswith("bool[") and fact.detail != "bool[]"


def inplace_assignment(scene: FailureContext) -> Match | None:
    """An array is assigned to in place."""
    found = _store(scene) or _store_at_traced(scene)
    return Match(facts=_facts(found)) if found is not None else None


def _store_at_traced(scene: FailureContext) -> tuple[FrameContext, ast.Subscript] | None:
    """Give the subscript of `x.at[i] = v`, which asks for a traced i before it is refused."""
    level, node = scene.level, scene.node
    target = node.target if isinstance(node, ast.AugAssign) else node
    if level is None or scene.error != "TracerIntegerConversionError":
        return None
    if not isinstance(target, ast.Subscript) or not isinstance(target.ctx, ast.Store):
        return None
    base = _without_at(target.value)
    is_array = base is not target.value and level.kind(base) in ("tracer", "array")
    return (level, target) if is_array else None


def _without_at(node: ast.expr) -> ast.expr:
    is_at = isinstance(node, ast.Attribute) and node.attr == "at"
    return node.value if isinstance(node, ast.Attribute) and is_at else node


MATCHERS = (
    ("masked-assignment", masked_assignment),
    ("inplace-assignment", inplace_assignment),
)
