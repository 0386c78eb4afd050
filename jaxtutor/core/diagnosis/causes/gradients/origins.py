"""Follows parameters to where they are first made, and finds the steps that train them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, path_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.library_calls import home_of, passed_value
from jaxtutor.core.diagnosis.reading.loops import updates_itself

FARTHEST = 8  # steps from the argument to where it is written


def is_trained(context: FailureContext, frame: FrameContext, node: ast.expr) -> bool:
    """Return whether a value, or one that it comes from, is lowered by a gradient."""
    return is_trained_value(context, origins(context, frame, node))


def is_trained_value(context: FailureContext, values: Sequence[ast.expr]) -> bool:
    """Return whether one of the expressions that lead to a value is lowered by a gradient."""
    return any(_is_lowered(context, value) for value in values)


def origins(context: FailureContext, frame: FrameContext, node: ast.expr) -> list[ast.expr]:
    """List the expressions that lead from a value to where it was first made.

    A statement that changes a value, such as `w = w - rate * g`, is not where it comes from.
    """
    found, position = [node], context.frames.index(frame)
    for _ in range(FARTHEST):
        first, changed = _first_value(context.frames[position].module, found[-1])
        if first is None and not changed:
            first = passed_value(context, position, found[-1])
            position -= 1
        if first is None:
            break
        found.append(first)
    return found


def _first_value(module: Module, node: ast.expr) -> tuple[ast.expr | None, bool]:
    """Return what a name or an attribute was given first, and whether it is given several values.

    None where that is not certain, or where a caller passes it.
    """
    path = path_of(node)
    if path is None:
        return None, True
    if isinstance(node, ast.Attribute):
        made = [n for n in module.nodes if isinstance(n, ast.Assign | ast.AugAssign)]
        return _only_first([s for s in made if path in map(path_of, _assignment_targets(s))], path)
    scopes = [n for n in module.ancestors(node) if isinstance(n, FunctionNode)]
    for scope in (*scopes, module.tree):
        bound = module.assignments(path, scope)
        is_passed = isinstance(scope, FunctionNode) and path in set(parameter_names(scope))
        if bound or is_passed:
            return _only_first(bound, path)
    return None, True


def _only_first(bound: Sequence[ast.stmt], path: str) -> tuple[ast.expr | None, bool]:
    """Return the value of the only statement that does not read what it binds."""
    values = [getattr(s, "value", None) for s in bound]
    pairs = zip(bound, values, strict=True)
    fresh = [(s, v) for s, v in pairs if not (v and updates_itself(s, path))]
    if len(fresh) != 1:
        return None, bool(fresh)
    statement, value = fresh[0]
    is_plain = isinstance(statement, ast.Assign) and path_of(statement.targets[0]) == path
    return (value, False) if is_plain and isinstance(value, ast.expr) else (None, True)


def _assignment_targets(statement: ast.Assign | ast.AugAssign) -> list[ast.expr]:
    return statement.targets if isinstance(statement, ast.Assign) else [statement.target]


def _is_lowered(context: FailureContext, value: ast.expr) -> bool:
    """Return whether a scope that reads a value has `value - rate * gradient`."""
    path = path_of(value)
    module = home_of(context, value)
    if path is None or module is None:
        return False
    scope = module.scope(value)
    steps = (n for n in ast.walk(scope) if isinstance(n, ast.BinOp | ast.AugAssign))
    return any(isinstance(s.op, ast.Sub) and _lowers(s, path) for s in steps)


def _lowers(step: ast.BinOp | ast.AugAssign, path: str) -> bool:
    lowered, by = (
        (step.left, step.right) if isinstance(step, ast.BinOp) else (step.target, step.value)
    )
    return path_of(lowered) == path and isinstance(by, ast.BinOp) and isinstance(by.op, ast.Mult)
