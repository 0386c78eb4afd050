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
from jaxtutor.core.diagnosis.matchers.control import body_of
from jaxtutor.core.diagnosis.transforms import result_place

_OF_CARRY = "carry input and carry output must have the same pytree structure"
_MAPS = ("tree.map", "tree_map", "tree.map_with_path", "tree_map_with_path")


def structure_mismatch(scene: FailureContext) -> Match | None:
    """Trees that belong together, in tree.map or in a loop's carry, have different structures."""
    if scene.error == "TypeError" and _OF_CARRY in scene.message:
        return _carry(scene)
    if scene.error == "ValueError" and "pytree structure error" in scene.message:
        return Match()
    if scene.error == "ValueError" and _calls_map(scene.level):
        words = (
            "Expected tuple",
            "Expected list",
            "Expected dict",
            "key mismatch",
            "arity mismatch",
        )
        return Match() if any(w in scene.message for w in words) else None
    return _none_leaf(scene)


def _carry(scene: FailureContext) -> Match:
    """Point at what the loop's body returns."""
    found = body_of(scene)
    return Match(result_place(*found) if found is not None else None)


def _calls_map(level: FrameContext | None) -> bool:
    path = level.callee(level.node) if level is not None else None
    return path is not None and path.endswith(_MAPS)


def _none_leaf(scene: FailureContext) -> Match | None:
    """A leaf of one tree is None where the other has an array."""
    if scene.error not in ("TypeError", "AttributeError") or "NoneType" not in scene.message:
        return None
    if len(scene.levels) < 2 or not _calls_map(scene.levels[-2]):
        return None
    inner, outer = scene.levels[-1], scene.levels[-2]
    node = outer.node
    if not isinstance(node, ast.Call) or argument(node, None, "is_leaf") is not None:
        return None  # with is_leaf the None was asked for
    given = [a.arg for a in parameters(inner.function)]
    is_none = any(inner.kind(name) == "none" for name in given)
    return Match(outer.place(node)) if is_none else None


MATCHERS = (("pytree-structure-mismatch", structure_mismatch),)
