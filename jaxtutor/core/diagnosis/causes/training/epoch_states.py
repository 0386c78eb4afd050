"""Finds optimizer states that are made again in each epoch, or in each call that trains on."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.training.states import MadeAgain
from jaxtutor.core.diagnosis.engine.matches import Finding, finding
from jaxtutor.core.diagnosis.engine.source import (
    Definition,
    Module,
    bound_names,
    names_in,
    own_nodes,
    path_of,
)
from jaxtutor.core.diagnosis.reading.calls import argument_for, passed_arguments
from jaxtutor.core.diagnosis.reading.functions import called_function, parameters, returned
from jaxtutor.core.diagnosis.reading.loops import Loop, paths_bound_in
from jaxtutor.core.diagnosis.reading.names import all_names
from jaxtutor.core.diagnosis.words import TASKS, says


def read_epoch_states(module: Module) -> Iterator[MadeAgain]:
    """Yield each `opt_state = tx.init(params)` of a loop over epochs that trains on.

    Loops over tasks, stages or folds start again on purpose. A loop counts as one over epochs if it
    goes through a range, and the loop over the batches inside it does not know which epoch it is.
    """
    for epochs in (n for n in module.nodes if isinstance(n, ast.For)):
        if not _counts_rounds(epochs):
            continue
        for statement in epochs.body:
            made = _made_state(statement)
            if made is None:
                continue
            state, params = made
            batches = _batches(epochs, statement, state, params)
            if batches is not None and _goes_on(epochs, statement, batches, params):
                facts = {"name": state}
                yield MadeAgain(module=module, node=statement, facts=facts, loop=epochs)


def read_solver_states(module: Module) -> Iterator[Finding]:
    """Yield each state that a function makes to train, and that a loop makes it make again.

    The loop hands the parameters from call to call, and each call gets the same other arguments:
    it goes on with the same problem.
    """
    for rounds in (n for n in module.nodes if isinstance(n, ast.For)):
        for call, params in _calls_that_go_on(rounds) if _counts_rounds(rounds) else ():
            function = called_function(module, call)
            made = _state_of_solver(function, call, params) if function is not None else None
            if made is not None:
                facts = {"name": made[1], "function": module.text(call.func)}
                line = str(module.span(rounds).line)
                yield finding(module, made[0], {**facts, "line": line}, "solver")


def _calls_that_go_on(rounds: ast.For) -> Iterator[tuple[ast.Call, str]]:
    """Yield `params = f(params, …)` of a loop that changes nothing else which the call reads."""
    for statement in rounds.body:
        call = statement.value if isinstance(statement, ast.Assign) else None
        if not isinstance(call, ast.Call):
            continue
        others = [paths_bound_in(s) for s in rounds.body if s is not statement]
        changed = all_names(rounds.target).union(*others)
        values = passed_arguments(call)
        reads = {name for value in values for name in all_names(value)}
        carried = reads & bound_names(statement)
        if len(carried) == 1 and carried <= set(map(path_of, values)) and not reads & changed:
            yield call, min(carried)


def _state_of_solver(
    function: Definition, call: ast.Call, params: str
) -> tuple[ast.stmt, str] | None:
    """Return the statement and name of a state that a function makes, uses and does not return."""
    own = [a.arg for a in parameters(function)]
    passed = [n for n in own if path_of(argument_for(function, call, n)) == params]
    for statement in function.body:
        state, first = _made_state(statement) or ("", "")
        loops = [n for n in function.body if isinstance(n, ast.For | ast.While)]
        trains = any({state, first} <= paths_bound_in(loop) for loop in loops)
        kept = {n for value in returned(function) if value is not None for n in all_names(value)}
        if trains and passed == [first] and first in kept and state not in kept:
            return statement, state
    return None


def _counts_rounds(loop: ast.For) -> bool:
    """Return whether a loop goes through a range whose number does not name a new problem."""
    source = loop.iter
    if isinstance(source, ast.Call) and path_of(source.func) in ("tqdm", "trange", "tqdm.tqdm"):
        source = source.args[0] if source.args and path_of(source.func) != "trange" else source
    called = path_of(getattr(source, "func", None))
    name = getattr(loop.target, "id", "")
    return called in ("range", "trange") and not says(name, TASKS)


def _made_state(statement: ast.stmt) -> tuple[str, str] | None:
    """Return the state and the parameters of `state = optimizer.init(params)`."""
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=state)],
            value=ast.Call(func=ast.Attribute(attr="init"), args=[first], keywords=[]),
        ):
            names = _paths(first)
            return (state, min(names)) if len(names) == 1 else None
    return None


def _paths(node: ast.expr) -> set[str]:
    """Return the model that `params`, or `eqx.filter(model, eqx.is_array)`, is made of."""
    if isinstance(node, ast.Call) and node.args:
        return _paths(node.args[0])
    path = path_of(node)
    return {path} if path is not None else set()


def _batches(epochs: ast.For, made: ast.stmt, state: str, params: str) -> Loop | None:
    """Return the loop over batches in an epoch: it carries the state and the parameters."""
    later = epochs.body[epochs.body.index(made) + 1 :]
    loops = [n for n in later if isinstance(n, ast.For)]
    training = [n for n in loops if {state, params} <= paths_bound_in(n)]
    if len(training) != 1:
        return None
    target = all_names(training[0].target)
    reads = {name for part in training[0].body for name in names_in(part)}
    return training[0] if target & reads else None


def _goes_on(epochs: ast.For, made: ast.stmt, batches: Loop, params: str) -> bool:
    """Return whether epochs differ in nothing but the parameters that they hand on."""
    number = all_names(epochs.target)
    inside = {name for part in batches.body for name in names_in(part) if not _prints(part)}
    if number & inside:
        return False
    first = params.partition(".")[0]
    for statement in epochs.body:
        if statement is batches or statement is made:
            continue
        bound = bound_names(statement) | {
            n for part in own_nodes(statement) for n in bound_names(part)
        }
        if first in bound:
            return False
        if isinstance(statement, ast.AugAssign) and bound & inside:
            return False  # a penalty that grows makes another problem of each epoch
    return True


def _prints(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=func)):
            return path_of(func) == "print"
        case ast.If(body=[inner]):
            return _prints(inner)
    return False
