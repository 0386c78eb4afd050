"""Matches and fixes a gradient or Jacobian of several arrays that is used like one array."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.source import path_of
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform, find
from jaxtutor.core.diagnosis.reading.names import last_name

_JACOBIANS = ("jacfwd", "jacrev", "hessian")
_OVER_ENTRIES = frozenset(
    """norm abs absolute square sum mean max min std var prod all any isnan isfinite size
    count_nonzero median""".split()
)
"""Functions and methods of one array that have a meaning for all entries of several arrays."""


class GradientTree(AtFrame, frozen=True, kw_only=True):
    """A gradient in the place of an array; `function` is what is computed with it."""

    gradient: ast.expr
    function: str


def gradient_as_array(context: FailureContext) -> GradientTree | None:
    """A gradient of a dict, list or tuple is given to a function of arrays, or read like one."""
    frame = context.frame
    if frame is None:
        return None
    kind = context.message.partition("'")[2].partition("'")[0]
    for node, function in _read_as_array(frame):
        made = _gradient_source(context, frame, node)
        if made is None:
            continue
        form = "jacobian" if made.kind in _JACOBIANS else "gradient"
        facts = {"name": frame.module.text(node), "container": kind}
        place = frame.place(node)
        return GradientTree(place, facts, form, context=context, gradient=node, function=function)
    return None


def _read_as_array(frame: FrameContext) -> list[tuple[ast.expr, str]]:
    """List the names that the failing expression uses as an array, with what it computes."""
    node = frame.node
    match node:
        case ast.Attribute(value=ast.Name() as read, attr=attribute):
            return [(read, attribute)]
        case ast.Call(func=ast.Attribute(value=ast.Name() as read, attr=attribute)) if (
            frame.fact(read) is not None and frame.callee(node) is None
        ):
            return [(read, attribute)]
        case ast.Call(func=func, args=given):
            function = last_name(func)
            return [(a, function) for a in given if isinstance(a, ast.Name)]
    return []


def _gradient_source(
    context: FailureContext, frame: FrameContext, node: ast.expr
) -> AppliedTransform | None:
    """Return the differentiation whose whole result is bound to a name, if one is."""
    scope = frame.function or frame.module.tree
    made = frame.module.assignments(path_of(node) or "", scope)
    if len(made) != 1 or not isinstance(made[0], ast.Assign):
        return None
    target, value = made[0].targets[0], made[0].value
    found = find(context, "grad", "value_and_grad", *_JACOBIANS, at=value)
    if found is None:
        return None
    has_pair = found.kind == "value_and_grad" or found.option("has_aux") is not None
    if not has_pair:
        return found if isinstance(target, ast.Name) else None
    place = 1 if found.kind == "value_and_grad" else 0
    parts = target.elts if isinstance(target, ast.Tuple) else []
    is_gradient = len(parts) == 2 and path_of(parts[place]) == path_of(node)
    return found if is_gradient else None


def join_entries(found: GradientTree) -> Drafts:
    """Put all entries of a gradient into one vector."""
    if found.form == "gradient" and found.function in _OVER_ENTRIES:
        draft = Draft(found.module)
        draft.wrap(found.gradient, f"{draft.name('jax.flatten_util.ravel_pytree')}(", ")[0]")
        yield draft.certain() if found.function == "norm" else draft
