"""Matches and fixes two arrays that a library refuses because of an axis of size one."""

from __future__ import annotations

import ast
from itertools import permutations

from jaxtutor.core.diagnosis.causes.shapes.shape_facts import shape_of, shape_text, shapes_in
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.calls import passed_arguments


class UnitAxis(AtCall, frozen=True, kw_only=True):
    """A call of a library whose argument `longer` has one axis of size one more than another."""

    longer: ast.expr
    axis: int


def unit_axis(context: FailureContext) -> UnitAxis | None:
    """A library compares two shapes, and they differ in one axis of size one."""
    found, said = at_call(context), shapes_in(context.message)
    if found is None or not context.library or len(said) < 2:
        return None
    shapes = {}
    for given in passed_arguments(found.node):
        shape = shape_of(found.frame, given) or _passed_shape(context, found, given)
        if shape and shape_text(shape) in said:
            shapes[given] = shape
    pairs = [
        (longer, other, axis)
        for longer, other in permutations(shapes, 2)
        if (axis := _extra_axis(shapes[longer], shapes[other])) is not None
    ]
    if len(pairs) != 1:
        return None
    longer, other, axis = pairs[0]
    module = found.module
    facts = {
        "name": module.text(longer),
        "argument": module.text(other),
        "detail": shape_text(shapes[longer]),
        "container": shape_text(shapes[other]),
        "function": module.text(found.node.func),
        "condition": _squeezed(found, longer, axis),
    }
    return UnitAxis(None, facts, context=context, node=found.node, longer=longer, axis=axis)


def _passed_shape(context: FailureContext, found: AtCall, given: ast.expr) -> tuple[int, ...]:
    """Return the shape of an argument that the call computes."""
    text = found.module.text(given)
    facts = [fact for fact in context.failure.passed if fact.name == text]
    sizes = facts[0].detail.partition("[")[2].partition("]")[0] if facts else ""
    return tuple(int(size) for size in sizes.split(",") if size.isdigit())


def _extra_axis(longer: tuple[int, ...], other: tuple[int, ...]) -> int | None:
    """Return the axis of size one that one shape has more than another; -1 is the last."""
    if len(longer) != len(other) + 1:
        return None
    rests = {n: (*longer[:n], *longer[n + 1 :]) for n, size in enumerate(longer) if size == 1}
    axes = [n for n, rest in rests.items() if rest == other]
    if not axes:
        return None
    return -1 if axes[-1] == len(longer) - 1 else axes[0]


def _squeezed(found: AtCall, node: ast.expr, axis: int) -> str:
    return f"{atom(found.module, node)}.squeeze({axis})"


def drop_axis(found: UnitAxis) -> Drafts:
    """Drop the axis of size one. It is not certain: the other array may lack one."""
    yield Draft(found.module).replace(found.longer, found.facts["condition"])


RULES = (Rule("unit-axis-left", raised(unit_axis), drop_axis),)
