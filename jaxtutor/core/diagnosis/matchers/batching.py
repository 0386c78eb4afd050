"""Owns the causes in vmap."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.context import FailureContext, Match
from jaxtutor.core.diagnosis.transforms import AppliedTransform, find, name_of, place_of


def _vmap(scene: FailureContext) -> AppliedTransform | None:
    return find(scene, "vmap", "pmap")


def _at_vmap(scene: FailureContext) -> Match:
    """Point at the vmap whose in_axes is to change."""
    item = _vmap(scene)
    if item is None:
        return Match()
    name = name_of(item.function)
    return Match(place_of(item), {"function": name} if name else {})


def keyword_argument(scene: FailureContext) -> Match | None:
    """in_axes speaks of positional arguments, and one was passed by keyword."""
    if scene.error != "ValueError" or "vmap" not in scene.message:
        return None
    said = "called with keyword arguments" in scene.message
    by_name = "of kwargs" in scene.message or "kwargs[" in scene.message
    return Match() if said or by_name or _counts_keywords(scene) else None


def _counts_keywords(scene: FailureContext) -> bool:
    """Tell whether in_axes has an entry for an argument that the call passes by keyword."""
    node = scene.node
    counted = re.search(r"len\(in_axes\)=(\d+), len\(args\)=(\d+)", scene.message)
    if counted is None or not isinstance(node, ast.Call):
        return False
    return int(counted[1]) == int(counted[2]) + len(node.keywords) > int(counted[2])


def axis_mismatch(scene: FailureContext) -> Match | None:
    """The mapped axes have different sizes."""
    said = "vmap got inconsistent sizes for array axes to be mapped" in scene.message
    return _at_vmap(scene) if scene.error == "ValueError" and said else None


def non_array(scene: FailureContext) -> Match | None:
    """A number is mapped along an axis."""
    if scene.error != "ValueError" or "vmap" not in scene.message:
        return None
    said = "its rank should be at least" in scene.message and "is only 0" in scene.message
    return _at_vmap(scene) if said or "at least one argument to map" in scene.message else None


MATCHERS = (
    ("vmap-keyword-argument", keyword_argument),
    ("vmap-axis-mismatch", axis_mismatch),
    ("vmap-non-array", non_array),
)
