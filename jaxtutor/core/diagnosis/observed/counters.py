"""Names counters that count the traces of a compiled function instead of its calls."""

from __future__ import annotations

import ast
from typing import TypeGuard

from jaxtutor.core.data.observations import ChangedValue, StaleGlobal, StaleItem
from jaxtutor.core.diagnosis.engine.matches import ObservedLocation
from jaxtutor.core.diagnosis.engine.source import Definition, FunctionNode, Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import name_of
from jaxtutor.core.diagnosis.observed.state import (
    StaleRead,
    is_start,
    loops_of,
    names_of,
    stale_read,
    uses_of,
)
from jaxtutor.core.diagnosis.reading.loops import updates_itself
from jaxtutor.core.diagnosis.words import TRACE_COUNTERS, says

MOST_DEPTH = 3
"""Calls from a compiled function to the method that counts."""


def counter(spot: ObservedLocation[ChangedValue]) -> StaleRead | None:
    """Find `self.t += 1`, or `t = t + 1`, in traced code, where the program computes with `t`."""
    seen, module, function = spot.seen, spot.module, spot.observed_function
    if function is None:
        return None
    if says(seen.name, TRACE_COUNTERS):
        return None
    nodes = [n for n in module.nodes if _is_of(n, seen)]
    traced = _called_by(module, function)
    stores = [module.statement(n) for n in nodes if isinstance(n.ctx, ast.Store)]
    counts = [s for s in stores if _is_count(s, module)]
    others = [s for s in stores if s is not None and s not in counts and not _starts(module, s)]
    if not counts or others or not all(module.function(s) in traced for s in counts):
        return None
    reads = [n for n in nodes if isinstance(n.ctx, ast.Load)]
    if not any(_is_operand(module, n) for n in reads if module.statement(n) not in counts):
        return None
    if not _is_repeated(module, function):
        return None
    facts = {
        "name": module.text(_target(counts[0])),
        "function": name_of(function),
    }
    held_by = next(n.id for n in ast.walk(_target(counts[0])) if isinstance(n, ast.Name))
    return stale_read(module, counts[0], held_by, facts, form="counted")


def _is_of(
    node: ast.AST, seen: ChangedValue
) -> TypeGuard[ast.Name | ast.Attribute | ast.Subscript]:
    """Return whether a node is the variable, attribute or entry that was observed."""
    if isinstance(node, ast.Subscript):
        is_key = isinstance(node.slice, ast.Constant) and node.slice.value == seen.name
        return isinstance(seen, StaleItem) and is_key
    if isinstance(node, ast.Name):
        return isinstance(seen, StaleGlobal) and node.id == seen.name
    is_attribute = not isinstance(seen, StaleItem | StaleGlobal)
    return is_attribute and isinstance(node, ast.Attribute) and node.attr == seen.name


def _target(count: ast.Assign | ast.AugAssign) -> ast.expr:
    return count.target if isinstance(count, ast.AugAssign) else count.targets[0]


def _is_count(statement: ast.stmt | None, module: Module) -> TypeGuard[ast.Assign | ast.AugAssign]:
    if isinstance(statement, ast.Assign):
        return updates_itself(statement, module.text(_target(statement)))
    return isinstance(statement, ast.AugAssign)


def _is_operand(module: Module, node: ast.expr) -> bool:
    """Return whether a value is computed with: by an operator, or by a function of JAX."""
    around = module.parents.get(node)
    called = module.dotted(around.func) if isinstance(around, ast.Call) else None
    return isinstance(around, ast.BinOp) or (called or "").startswith("jax.")


def _starts(module: Module, statement: ast.stmt) -> bool:
    """Return whether a statement sets a counter up: in `__init__`, or once at the top of a file."""
    return is_start(module, statement) or module.parents.get(statement) is module.tree


def _called_by(module: Module, function: FunctionNode, depth: int = MOST_DEPTH) -> list[ast.AST]:
    """List a function and those of the file that it calls."""
    found: list[ast.AST] = [function]
    for call in ast.walk(function):
        path = path_of(call.func) if isinstance(call, ast.Call) else None
        callee = module.function_named((path or "").rpartition(".")[2])
        if isinstance(callee, Definition) and callee is not function and depth:
            found.extend(_called_by(module, callee, depth - 1))
    return found


def _is_repeated(module: Module, function: FunctionNode) -> bool:
    """Return whether a compiled function is called in a loop, or at several places."""
    names = {name_of(function), *names_of(module, function)} - {""}
    uses = list(uses_of(module, names))
    if len(uses) > 1 or any(any(loops_of(module, use)) for use in uses):
        return True
    users = [user for use in uses if (user := module.function(use)) is not None]
    return any(user is not function and _is_repeated_by(module, user) for user in users)


def _is_repeated_by(module: Module, user: FunctionNode) -> bool:
    uses = list(uses_of(module, {name_of(user)} - {""}))
    return name_of(user).startswith("__") or any(any(loops_of(module, use)) for use in uses)
