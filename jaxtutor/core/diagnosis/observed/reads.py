"""Names the values that a loop reads in each round, although nothing in the loop needs them."""

from __future__ import annotations

import ast

from jaxtutor.core.data.observations import HostRead
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.source import Module, names_in, own_nodes, path_of
from jaxtutor.core.diagnosis.reading.loops import Loop, loop_around

_CHOOSING = (ast.If, ast.IfExp, ast.While, ast.Match, ast.BoolOp, ast.Try, ast.Assert)
_COLLECTING = ("append", "extend")


def host_read(spot: ObservedLocation[HostRead]) -> Finding | None:
    """Find the value of a round's own computation that is only collected, or printed each time."""
    node = spot.node
    loop = loop_around(spot.module, node) if node is not None else None
    if node is None or loop is None or _is_chosen(spot.module, node, loop):
        return None
    if not names_in(node) & _computed_in(loop):
        return None
    kept_in = _collector(spot.module, node)
    is_kept = kept_in is not None and not _decides(loop, kept_in)
    if not is_kept and not _is_printed(spot.module, node):
        return None
    waited, spent = f"{spot.seen.waited:.2g} s", f"{spot.seen.spent:.2g} s"
    detail = f"{spot.seen.times} times, {waited} of the {spent} that the loop took"
    return spot.found(facts={**spot.facts, "detail": detail})


def _is_chosen(module: Module, node: ast.AST, loop: Loop) -> bool:
    """Return whether a node runs in some rounds only, or its value may decide something."""
    for outer in module.ancestors(node):
        if outer is loop:
            return False
        if isinstance(outer, _CHOOSING):
            return True
    return True


def _computed_in(loop: Loop) -> set[str]:
    """List the names that a loop assigns the result of a call."""
    return {
        part.id
        for node in own_nodes(loop)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        for target in node.targets
        for part in ast.walk(target)
        if isinstance(part, ast.Name)
    }


def _collector(module: Module, node: ast.AST) -> str | None:
    """Return the list, dict or sum that a value goes into, if it goes nowhere else."""
    inner = node
    for outer in module.ancestors(node):
        if isinstance(outer, ast.Call):
            func = outer.func
            is_added = isinstance(func, ast.Attribute) and func.attr in _COLLECTING
            return path_of(func.value) if is_added and isinstance(func, ast.Attribute) else None
        if isinstance(outer, ast.AugAssign):
            return path_of(outer.target) if inner is outer.value else None
        if isinstance(outer, ast.Assign):
            target = outer.targets[0]
            return path_of(target.value) if isinstance(target, ast.Subscript) else None
        if isinstance(outer, ast.stmt):
            return None
        inner = outer
    return None


def _decides(loop: Loop, name: str) -> bool:
    """Return whether a loop reads what it collects: in a condition, or in a call."""
    reads = [n for n in own_nodes(loop) if isinstance(n, ast.Name) and n.id == name]
    tests = [n.test for n in own_nodes(loop) if isinstance(n, ast.If | ast.While | ast.IfExp)]
    return any(read in list(ast.walk(test)) for test in tests for read in reads)


def _is_printed(module: Module, node: ast.AST) -> bool:
    outer = [node, *module.ancestors(node)]
    calls = [n for n in outer if isinstance(n, ast.Call)]
    return any(path_of(call.func) == "print" for call in calls)
