"""Owns the causes in vmap."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.rules import Match
from jaxtutor.core.diagnosis.transforms import AppliedTransform, find, name_of, place_of


def _vmap(context: FailureContext) -> AppliedTransform | None:
    return find(context, "vmap", "pmap")


def _at_vmap(context: FailureContext) -> Match:
    """Point at the vmap whose in_axes is to change."""
    item = _vmap(context)
    if item is None:
        return Match()
    name = name_of(item.function)
    return Match(place_of(item), {"function": name} if name else {})


def keyword_argument(context: FailureContext) -> Match | None:
    """in_axes speaks of positional arguments, and one was passed by keyword."""
    if context.error != "ValueError" or "vmap" not in context.message:
        return None
    said = "called with keyword arguments" in context.message
    by_name = "of kwargs" in context.message or "kwargs[" in context.message
    return Match() if said or by_name or _counts_keywords(context) else None


def _counts_keywords(context: FailureContext) -> bool:
    """Tell whether in_axes has an entry for an argument that the call passes by keyword."""
    node = context.node
    counted = re.search(r"len\(in_axes\)=(\d+), len\(args\)=(\d+)", context.message)
    if counted is None or not isinstance(node, ast.Call):
        return False
    return int(counted[1]) == int(counted[2]) + len(node.keywords) > int(counted[2])


def axis_mismatch(context: FailureContext) -> Match | None:
    """The mapped axes have different sizes."""
    said = "vmap got inconsistent sizes for array axes to be mapped" in context.message
    return _at_vmap(context) if context.error == "ValueError" and said else None


def non_array(context: FailureContext) -> Match | None:
    """A number is mapped along an axis."""
    if context.error != "ValueError" or "vmap" not in context.message:
        return None
    said = "its rank should be at least" in context.message and "is only 0" in context.message
    return _at_vmap(context) if said or "at least one argument to map" in context.message else None


MATCHERS = (
    ("vmap-keyword-argument", keyword_argument),
    ("vmap-axis-mismatch", axis_mismatch),
    ("vmap-non-array", non_array),
)
