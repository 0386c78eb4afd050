"""Finds new states of a loop that take the places of the old ones only after the loop.

Each round computes a new state from the old one, nothing in the loop reads it, and the next round
computes another in its place. So of all rounds only the last one counts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.scopes import outer_names
from jaxtutor.core.diagnosis.engine.source import (
    Definition,
    Module,
    bound_names,
    own_nodes,
    path_of,
)
from jaxtutor.core.diagnosis.observed.state import names_of
from jaxtutor.core.diagnosis.reading.calls import (
    argument_for,
    called_identifier,
    calls_in,
    calls_to,
)
from jaxtutor.core.diagnosis.reading.loops import paths_bound_in, paths_in
from jaxtutor.core.diagnosis.reading.names import load_sites

_REPLACING = ("replace", "_replace")
_TIMING = frozenset("block_until_ready perf_counter perf_counter_ns monotonic time".split())
"""Functions whose calls show that a loop repeats a computation to measure it."""


def late_states(module: Module, statement: ast.Assign) -> Iterator[Finding]:
    """Yield the new states of a statement in a loop that replace the old ones after the loop."""
    loop = module.parents.get(statement)
    if not isinstance(loop, ast.For | ast.While) or statement not in loop.body or _may_end(loop):
        return
    inside = list(own_nodes(loop))
    for new in sorted(bound_names(statement)):
        bindings = [n for n in inside if isinstance(n, ast.stmt) and new in bound_names(n)]
        if new.startswith("_") or bindings != [statement] or new in outer_names(loop):
            continue
        for use in load_sites(module.scope(statement), new):
            old = _place_taken(module, use) if use.lineno > (loop.end_lineno or 0) else ""
            if old and _is_renewed(loop, statement, old):
                facts = {"name": new, "argument": old, "detail": str(use.lineno)}
                yield Finding(None, facts, "late", module=module, node=statement, is_certain=False)
                break


def _may_end(loop: ast.For | ast.While) -> bool:
    """Return whether a loop may end in any round, or measures time."""
    ends = any(isinstance(n, ast.Break | ast.Return) for n in ast.walk(loop))
    return ends or any(called_identifier(call) in _TIMING for call in calls_in(loop))


def _is_renewed(loop: ast.For | ast.While, statement: ast.Assign, old: str) -> bool:
    """Return whether a statement computes a new version of a value that its loop leaves alone.

    Something else that it reads changes in each round: a loop may repeat a step to measure it.
    """
    read = paths_in(statement.value)
    bound, (root, _, field) = paths_bound_in(loop), old.partition(".")
    replaced = {
        keyword.arg
        for call in calls_in(loop)
        if called_identifier(call) in _REPLACING
        for keyword in call.keywords
    }
    is_left_alone = old not in bound and field not in replaced
    varied = outer_names(statement.value) & bound
    return old in read and is_left_alone and bool(varied) and (bool(field) or root not in bound)


def _place_taken(module: Module, use: ast.expr) -> str:
    """Return what an expression takes the place of: `s.a` for `x` in `s.replace(a=x)`."""
    outer = module.parents.get(use)
    holder = module.parents.get(outer) if outer is not None else None
    match outer, holder:
        case ast.keyword(arg=str(field)), ast.Call(func=ast.Attribute(attr=name, value=state)):
            owner = path_of(state) if name in _REPLACING else None
            return f"{owner}.{field}" if owner is not None else ""
        case ast.Assign(targets=[target]), _:
            return path_of(target) or ""
        case ast.Tuple(elts=parts), ast.Assign(targets=[ast.Tuple(elts=targets)]):
            place = parts.index(use)
            return (path_of(targets[place]) or "") if len(targets) == len(parts) else ""
        case ast.Return(), _:
            return _parameter_taken(module, use, None)
        case ast.Tuple(elts=parts), ast.Return():
            return _parameter_taken(module, use, parts.index(use))
    return ""


def _parameter_taken(module: Module, use: ast.expr, place: int | None) -> str:
    """Return the parameter whose place a result takes where the function is called.

    `w` for the second result of `def f(v, w)` by `v, w = f(v, w)`.
    """
    function = module.function(use)
    if not isinstance(function, Definition):
        return ""
    for name in {function.name, *names_of(module, function)}:
        for call in calls_to(module, name):
            target = _target_of(module, call, place)
            for parameter in function.args.args if target else ():
                if path_of(argument_for(function, call, parameter.arg)) == target:
                    return parameter.arg
    return ""


def _target_of(module: Module, call: ast.Call, place: int | None) -> str:
    """Return what takes the result of a call, or the part of it at a place."""
    match module.parents.get(call), place:
        case ast.Assign(targets=[ast.Tuple(elts=parts)]), int(number) if number < len(parts):
            return path_of(parts[number]) or ""
        case ast.Assign(targets=[target]), None:
            return path_of(target) or ""
    return ""
