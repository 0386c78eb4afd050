"""Names why a function was compiled again and again, from what changed in its arguments."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.loops import Loop, carried, loop_around, paths_in
from jaxtutor.core.diagnosis.observed_location import Found, ObservedLocation
from jaxtutor.core.diagnosis.reading import argument_for
from jaxtutor.core.diagnosis.source import path_of
from jaxtutor.core.diagnosis.transforms import applied, place_of, static_names

_LEAST_NUMBERS = 5  # traces with another number each time; fewer may be a few settings
_LEAST_FUNCTIONS = 3  # traces with a new function that does the same each time
_LEAST_SHAPES = 4  # traces with an axis that grows by one step
_LEAST_SLICES = 8  # the same, where the argument is a slice and not carried by the loop


def static_number(spot: ObservedLocation) -> Found | None:
    """A static number with a new value in each call, though every value gives the same program."""
    if _times(spot) < _LEAST_NUMBERS or _same(spot) < _times(spot) // 2 or _loop(spot) is None:
        return None
    facts = {**_facts(spot), "name": spot.seen.get("argument", "")}
    function = spot.module.function_named(spot.seen.get("name", ""))
    jits = [a for a in applied(spot.module) if a.kind == "jit" and a.function is function]
    if function is not None and len(jits) == 1 and static_names(jits[0]):
        return "static-arg-changes-each-call", place_of(jits[0]), facts
    return "static-arg-changes-each-call", spot.place(), facts


def static_function(spot: ObservedLocation) -> Found | None:
    """A static argument that is a new function each time, and does the same each time."""
    if _times(spot) < _LEAST_FUNCTIONS or _same(spot) < _LEAST_FUNCTIONS:
        return None
    given = _given(spot)
    is_written = isinstance(given, ast.Lambda | ast.Call)
    return "new-callable-each-call", spot.place(given if is_written else None), _facts(spot)


def growing_shape(spot: ObservedLocation) -> Found | None:
    """An array that is longer in each round of a loop."""
    loop, given = _loop(spot), _given(spot)
    if loop is None or given is None or spot.node is None or _times(spot) < _LEAST_SHAPES:
        return None
    names = paths_in(given)
    is_carried = bool(names & carried(spot.module, loop, spot.node))
    is_collected = any(_appends(node, names) for node in ast.walk(loop))
    is_slice = isinstance(given, ast.Subscript) and _times(spot) >= _LEAST_SLICES
    if not (is_carried or is_collected or is_slice):
        return None
    facts = {**_facts(spot), "name": spot.module.text(given)}
    return "shape-grows-each-call", spot.place(), facts


def _appends(node: ast.AST, names: set[str]) -> bool:
    func = node.func if isinstance(node, ast.Call) else None
    is_adding = isinstance(func, ast.Attribute) and func.attr in ("append", "extend")
    return is_adding and isinstance(func, ast.Attribute) and path_of(func.value) in names


def _facts(spot: ObservedLocation) -> dict[str, str]:
    return {**spot.facts, "function": spot.seen.get("name", "")}


def _times(spot: ObservedLocation) -> int:
    return int(spot.seen.get("times", "0"))


def _same(spot: ObservedLocation) -> int:
    return int(spot.seen.get("same", "0"))


def _loop(spot: ObservedLocation) -> Loop | None:
    return loop_around(spot.module, spot.node) if spot.node is not None else None


def _given(spot: ObservedLocation) -> ast.expr | None:
    """Return the expression that the call passes as the argument that changed."""
    call, name = spot.node, spot.seen.get("argument", "")
    if not isinstance(call, ast.Call):
        return None
    values = [*call.args, *(k.value for k in call.keywords)]
    function = spot.module.function_named(spot.seen.get("name", ""))
    given = argument_for(function, call, name) if function is not None else None
    return given or next((v for v in values if path_of(v) == name), None)
