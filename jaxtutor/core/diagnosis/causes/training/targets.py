"""Finds targets of Q-learning through which the gradient flows back."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.training.gradients import differentiated_name
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import CallFinding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, read
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import applied
from jaxtutor.core.diagnosis.reading.calls import calls_in
from jaxtutor.core.diagnosis.reading.names import bound_value, last_name
from jaxtutor.core.diagnosis.reading.values import reduced_array

_LOSSES = frozenset("l2_loss huber_loss squared_error smooth_labels log_cosh".split())


def read_targets(module: Module) -> Iterator[CallFinding]:
    """Yield each target that is a maximum of the network which the loss differentiates."""
    seen = set[FunctionNode]()
    for item in applied(module):
        name, function = differentiated_name(item), item.function
        if not name or function is None or function in seen:
            continue
        seen.add(function)
        if any(last_name(n) == "stop_gradient" for n in ast.walk(function)):
            continue
        yield from _unstopped(module, function, name)


def _unstopped(module: Module, function: FunctionNode, name: str) -> Iterator[CallFinding]:
    runs = [n for n in calls_in(function) if _runs_network(n, name)]
    for maximum in (n for n in calls_in(function)):
        scores = reduced_array(module, maximum, "max")
        made = bound_value(module, scores) if scores is not None else None
        if not isinstance(made, ast.Call) or made not in runs:
            continue
        others = [r for r in runs if _same_network(r, made) and ast.dump(r) != ast.dump(made)]
        target = _target_with(module, function, maximum) if others else None
        if target is not None and _is_compared(module, function, target):
            facts = {"name": module.text(made), "argument": name}
            yield CallFinding(module=module, node=maximum, facts=facts)


def _runs_network(call: ast.Call, name: str) -> bool:
    """Return whether a call runs a network with what is differentiated."""
    if path_of(call.func) == name:
        return True
    if isinstance(call.func, ast.Call):  # jax.vmap(model)(x)
        return any(path_of(a) == name for a in call.func.args)
    return any(path_of(a) == name for a in call.args[:1]) and len(call.args) > 1


def _same_network(one: ast.Call, other: ast.Call) -> bool:
    return ast.dump(one.func) == ast.dump(other.func)


def _target_with(module: Module, function: FunctionNode, maximum: ast.Call) -> ast.BinOp | None:
    """Return the sum of a reward and a factor times a maximum."""
    statement = module.statement(maximum)
    names = set[str]()
    if isinstance(statement, ast.Assign) and _is_only_value(statement, maximum):
        names = {n for t in statement.targets if (n := path_of(t)) is not None}
    for node in ast.walk(function):
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
            continue
        for side in (node.left, node.right):
            parts = list(ast.walk(side)) if isinstance(side, ast.BinOp) else []
            is_product = isinstance(side, ast.BinOp) and isinstance(side.op, ast.Mult)
            if is_product and any(p is maximum or path_of(p) in names for p in parts):
                return node
    return None


def _is_only_value(statement: ast.Assign, node: ast.expr) -> bool:
    return statement.value is node


def _is_compared(module: Module, function: FunctionNode, target: ast.BinOp) -> bool:
    """Return whether a loss is of the difference between a target and something else."""
    statement = module.statement(target)
    is_named = isinstance(statement, ast.Assign) and statement.value is target
    targets = statement.targets if isinstance(statement, ast.Assign) and is_named else []
    names = {n for t in targets if (n := path_of(t)) is not None}
    for node in ast.walk(function):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
            sides: list[ast.expr] = [node.left, node.right]
        elif isinstance(node, ast.Call) and last_name(node.func) in _LOSSES:
            sides = node.args
        else:
            continue
        if any(side is target or path_of(side) in names for side in sides):
            return True
    return False


def stop_target(found: CallFinding) -> Drafts:
    """Stop the gradient at the maximum."""
    draft = Draft(found.module)
    yield draft.wrap(found.node, f"{draft.name('jax.lax.stop_gradient')}(", ")")


RULES = (Rule("target-not-stopped", read(read_targets, imports=TRAINING), stop_target),)
