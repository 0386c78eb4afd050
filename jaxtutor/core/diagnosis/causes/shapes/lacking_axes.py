"""Matches operations that count an axis which the array does not have, outside of vmap."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.causes.shapes import added_axes as indices
from jaxtutor.core.diagnosis.causes.shapes.added_axes import add_axis
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.library_calls import given_values, home_of

_INDEXED = re.compile(r"(\d+)-dimensional, but (\d+) were indexed")
_AXIS = re.compile(r"axis (-?\d+) is out of bounds for array of dimension (\d+)")
_TYPE = re.compile(r"\w+\[([\d,]*)\]$")
_ARRAYS = ("array", "tracer", "ndarray")


def axis_missing(context: FailureContext) -> AtFrame | None:
    """An index, an axis or a size names an axis that the array does not have."""
    flat = indices.flat_indices(context)
    if flat is not None:
        return flat
    frame, node = context.frame, context.node
    if frame is None or node is None or _is_tiled(node):
        return None
    array = _counted_array(frame, node)
    fact = frame.fact(array) if array is not None else None
    said = _TYPE.search(fact.detail) if fact is not None and fact.kind in _ARRAYS else None
    if array is None or fact is None or said is None:
        return None
    axes = len(said[1].split(",")) if said[1] else 0
    needed = _needed(context, node)
    if needed <= axes:
        return None
    name = frame.module.text(array)
    source = given_values(context, frame, array)[-1]
    origin = home_of(context, source) or frame.module
    facts = {
        "name": name,
        "aval": fact.detail,
        "detail": _axes_in_words(axes),
        "argument": _axes_in_words(needed),
        "container": " ".join(origin.text(source).split()),
        "line": str(source.lineno),
    }
    form = "flat" if axes == 1 and needed == 2 else ""
    return AtFrame(None, facts, form, context=context)


def _is_tiled(node: ast.AST) -> bool:
    """Return whether a call is `x.repeat(2, 1)`: in PyTorch one count for each axis."""
    is_method = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    return is_method and node.func.attr == "repeat" and len(node.args) > 1  # type: ignore[attr-defined]


def _axes_in_words(number: int) -> str:
    return "one axis" if number == 1 else f"{number or 'no'} axes"


def _counted_array(frame: FrameContext, node: ast.AST) -> ast.expr | None:
    """Return the array that an index, a shape, a method or a function counts the axes of."""
    match node:
        case ast.Subscript(value=ast.Attribute(value=array, attr="shape")):
            return array
        case ast.Subscript(value=array):
            return array
        case ast.Call(func=ast.Attribute(value=array)) if frame.kind(array) in _ARRAYS:
            return array
        case ast.Call(args=[array, *_]):
            return array
    return None


def _needed(context: FailureContext, node: ast.AST) -> int:
    """Return how many axes the expression counts; 0 where that is not known."""
    if (indexed := _INDEXED.search(context.message)) is not None:
        return int(indexed[2])
    if (axis := _AXIS.search(context.message)) is not None:
        number = int(axis[1])
        return number + 1 if number >= 0 else -number
    match node:
        case ast.Subscript(slice=ast.Constant(value=int(number))):
            return number + 1
        case ast.Call(keywords=given):
            axes = [k.value.value for k in given if _is_axis(k)]  # type: ignore[attr-defined]
            return int(axes[0]) + 1 if axes else 0
    return 0


def _is_axis(keyword: ast.keyword) -> bool:
    value = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
    return keyword.arg == "axis" and isinstance(value, int)


RULES = (Rule("array-lacks-axis", raised(axis_missing), add_axis),)
