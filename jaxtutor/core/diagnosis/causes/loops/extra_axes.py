"""Matches and fixes carries that come out of the body of a loop with more axes of size 1."""

from __future__ import annotations

import ast

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.loops.carries import (
    CarryMismatch,
    fori_shape_change,
    leaf_at,
    scan_shape_change,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module
from jaxtutor.core.diagnosis.engine.value_origins import FARTHEST, fields_of
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import called_function, result_of
from jaxtutor.core.diagnosis.reading.names import last_name
from jaxtutor.core.diagnosis.reading.shapes import axis_sizes


class Change(Struct, frozen=True):
    """A leaf of a carry, by its path from the carry, and the axes of size 1 that it gains."""

    path: tuple[str, ...]
    axes: tuple[int, ...]
    is_scalar: bool


def fori_change(context: FailureContext) -> CarryMismatch | None:
    """The state of a fori_loop or while_loop changes its shape."""
    found = fori_shape_change(context)
    return found and (_with_extra_axes(found) or found)


def scan_change(context: FailureContext) -> CarryMismatch | None:
    """The carry of a scan changes its shape."""
    found = scan_shape_change(context)
    return found and (_with_extra_axes(found) or found)


def _with_extra_axes(found: CarryMismatch) -> CarryMismatch | None:
    """Point at what has the axis of size 1, if that is all by which the carry differs."""
    changes = _axis_changes(found)
    if found.loop is None or found.function is None or not changes:
        return None
    count = len(changes[0].axes)
    more = "one axis more" if count == 1 else f"{count} axes more"
    facts = {"aval": found.before, "detail": found.after, "condition": more}
    facts["name"] = found.changes[0].path
    made = _source(found.loop.module, found.function, _result(found), changes[0].path)
    place = found.loop.module.location(made) if made is not None else found.place
    return replace(found, place=place, facts=facts, form="axis")


def _axis_changes(found: CarryMismatch) -> list[Change]:
    """List the leaves that differ; none if one of them differs by more than axes of size 1."""
    changes = []
    for part in found.changes:
        axes = _gained(axis_sizes(part.said), axis_sizes(part.other))
        if not axes or part.said.partition("[")[0] != part.other.partition("[")[0]:
            return []
        changes.append(Change(part.keys, axes, not axis_sizes(part.said)))
    return changes


def _gained(before: list[str], after: list[str]) -> tuple[int, ...]:
    """Return which axes of size 1 a shape has more than another; empty if that is not all."""
    axes = tuple(n for n, size in enumerate(after) if size == "1")
    is_all = [size for size in after if size != "1"] == before and "1" not in before
    return axes if is_all else ()


def _result(found: CarryMismatch) -> ast.expr | None:
    """Return the new carry that the body returns."""
    result = result_of(found.function) if found.function is not None else None
    if found.loop is None or found.loop.kind != "scan":
        return result
    pair = result.elts if isinstance(result, ast.Tuple) else []
    return pair[0] if len(pair) == 2 else None


def _source(
    module: Module, function: FunctionNode, value: ast.expr | None, path: tuple[str, ...]
) -> ast.expr | None:
    """Follow a leaf of what a function returns to the expression that computed it."""
    for _ in range(FARTHEST):
        if value is None:
            return None
        value, path = leaf_at(value, path)
        match value:
            case ast.Name():
                made = _value_before(module, function, value)
                if made is None:
                    return None
                value = made
            case ast.Call() if path:
                inside = called_function(module, value)
                if inside is not None:
                    function, value = inside, result_of(inside)
                else:
                    value, path = _field(module, value, path[0]), path[1:]
            case _:
                return value if not path else None
    return None


def _value_before(module: Module, function: FunctionNode, name: ast.Name) -> ast.expr | None:
    """Return what was last assigned to a name of a function before it is read."""
    bound = [
        statement.value
        for statement in module.assignments(name.id, function)
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
        if statement.lineno < name.lineno
    ]
    return bound[-1] if bound else None


def _field(module: Module, call: ast.Call, name: str) -> ast.expr | None:
    """Return what a constructor of the learner's, or `replace`, was given for a field."""
    made = last_name(call.func)
    if made in ("replace", "_replace"):
        return argument(call, None, name)
    classes = [n for n in module.nodes if isinstance(n, ast.ClassDef) and n.name == made]
    names = fields_of(classes[0]) if len(classes) == 1 else []
    return argument(call, names.index(name), name) if name in names else None


def squeeze_leaves(found: CarryMismatch) -> Drafts:
    """Take the axes of size 1 away where the body returns the carry."""
    result, changes = _result(found), _axis_changes(found)
    if found.loop is None or result is None:
        return
    draft = Draft(found.loop.module).certain()
    squeeze = draft.name("jax.numpy.squeeze")
    for change in changes:
        leaf, rest = leaf_at(result, change.path)
        if rest or isinstance(leaf, ast.Tuple | ast.List | ast.Dict):
            return
        one = change.axes[0] if len(change.axes) == 1 else change.axes
        draft.wrap(leaf, f"{squeeze}(", ")" if change.is_scalar else f", axis={one})")
    yield draft
