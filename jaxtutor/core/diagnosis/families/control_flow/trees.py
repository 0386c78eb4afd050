"""Owns the causes in pytrees."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.context import (
    FailureContext,
    FrameContext,
    Match,
    argument,
    parameters,
)
from jaxtutor.core.diagnosis.families.control_flow.match import body_of
from jaxtutor.core.diagnosis.transforms import result_place

_OF_CARRY = "carry input and carry output must have the same pytree structure"
_MAPS = ("tree.map", "tree_map", "tree.map_with_path", "tree_map_with_path")


def structure_mismatch(context: FailureContext) -> Match | None:
    """Trees that belong together, in tree.map or in a loop's carry, have different structures."""
    if context.error == "TypeError" and _OF_CARRY in context.message:
        return _carry(context)
    if context.error == "ValueError" and "pytree structure error" in context.message:
        return Match()
    if context.error == "ValueError" and _calls_map(context.frame):
        words = (
            "Expected tuple",
            "Expected list",
            "Expected dict",
            "key mismatch",
            "arity mismatch",
        )
        return Match() if any(w in context.message for w in words) else None
    return _none_leaf(context)


def _carry(context: FailureContext) -> Match:
    """Point at what the loop's body returns."""
    found = body_of(context)
    return Match(result_place(*found) if found is not None else None)


def _calls_map(frame: FrameContext | None) -> bool:
    path = frame.callee(frame.node) if frame is not None else None
    return path is not None and path.endswith(_MAPS)


def _none_leaf(context: FailureContext) -> Match | None:
    """A leaf of one tree is None where the other has an array."""
    if context.error not in ("TypeError", "AttributeError") or "NoneType" not in context.message:
        return None
    if len(context.frames) < 2 or not _calls_map(context.frames[-2]):
        return None
    inner, outer = context.frames[-1], context.frames[-2]
    node = outer.node
    if not isinstance(node, ast.Call) or argument(node, None, "is_leaf") is not None:
        return None  # with is_leaf the None was asked for
    given = [a.arg for a in parameters(inner.function)]
    is_none = any(inner.kind(name) == "none" for name in given)
    return Match(outer.place(node)) if is_none else None


MATCHERS = (("pytree-structure-mismatch", structure_mismatch),)
