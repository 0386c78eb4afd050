"""Corrects training loops: keeps results and states, and differentiates the right argument."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.causes.training.accumulated import pass_total, read_accumulated
from jaxtutor.core.diagnosis.causes.training.epoch_states import (
    read_epoch_states,
    read_solver_states,
)
from jaxtutor.core.diagnosis.causes.training.gradients import gradient_of_input
from jaxtutor.core.diagnosis.causes.training.lost_statistics import read_lost_statistics
from jaxtutor.core.diagnosis.causes.training.own_updates import keep_array, read_own_updates
from jaxtutor.core.diagnosis.causes.training.states import (
    lost_states,
    not_carried,
    old_state,
    states_made_again,
    statistics_to_store,
)
from jaxtutor.core.diagnosis.causes.training.statistics import read_statistics, take_collection
from jaxtutor.core.diagnosis.causes.training.unread import pass_changed, read_unread
from jaxtutor.core.diagnosis.causes.training.updates import (
    assigned_elements,
    dropped,
    lost_result,
    mapped_and_returned,
    renewed_and_returned,
    updated_by,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, at_each, read
from jaxtutor.core.diagnosis.engine.source import (
    Definition,
    Module,
    bound_names,
    own_nodes,
    path_of,
)
from jaxtutor.core.diagnosis.reading.calls import argument_for, method_of
from jaxtutor.core.diagnosis.reading.functions import returned
from jaxtutor.core.diagnosis.reading.loops import loop_around
from jaxtutor.core.diagnosis.reading.values import is_number


def keep_result(found: Finding) -> Drafts:
    """Assign the result of an update to what it updates, or pass the total on that was added up."""
    yield from pass_total(found)
    yield from pass_changed(found)
    call, module = found.node, found.module
    if not isinstance(call, ast.Call) or module.dotted(call.func) == "jax.random.fold_in":
        return
    updated = updated_by(module, call)
    if updated is not None and path_of(updated) is not None:
        draft = Draft(module).before(call, f"{module.text(updated)} = ")
        yield draft.certain() if _only_updates(module, call) else draft
        return
    function = module.function_named(path_of(call.func) or "")
    if updated is None and function is not None:
        yield _keep_renewed(module, call, function)
    yield from keep_array(found)


def _only_updates(module: Module, call: ast.Call) -> bool:
    """Return whether a call has no use but its result; one of JAX's may be a first run for time."""
    path = module.dotted(call.func) or ""
    is_method = method_of(call) == "apply_gradients"
    return is_method or path.startswith(("optax.", "equinox."))


def _keep_renewed(module: Module, call: ast.Call, function: Definition) -> Draft | None:
    """Assign each part of a function's result to the argument that it is the new value of."""
    ends = [e for e in returned(function) if e is not None]
    renewed = list(renewed_and_returned(function))
    names = [path_of(p) or "" for p in assigned_elements(ends[0])] if len(ends) == 1 else []
    if not renewed:
        renewed = names = list(mapped_and_returned(module, function))
    given = {n: argument_for(function, call, n) for n in renewed}
    targets = [module.text(value) if (value := given.get(n)) is not None else "_" for n in names]
    return Draft(module).before(call, f"{', '.join(targets)} = ") if set(targets) - {"_"} else None


def carry_state(found: Finding) -> Drafts:
    """Take the new state where an underscore, or the old one, or a whole dict stands for it."""
    yield from take_collection(found)
    yield from _return_new(found)
    statement = found.module.statement(found.node)
    if isinstance(statement, ast.Assign):
        for element, name, _ in not_carried(found.module, statement):
            yield Draft(found.module).replace(element, name)
        stored = statistics_to_store(found.module, statement)
        if stored is not None:
            call, name, value = stored
            text = f", {name}={ast.unparse(value)}".replace("'", '"')
            yield Draft(found.module).after(call.keywords[-1], text)


def _return_new(found: Finding) -> Drafts:
    """Return the new state of a loss in the place of the old one."""
    module = found.module
    for statement in own_nodes(module.scope(found.node)):
        kept = old_state(module, statement) if isinstance(statement, ast.Assign) else None
        if kept is not None and kept[0] is found.node:
            yield Draft(module).replace(kept[0], kept[1])


def make_state_once(found: Finding) -> Drafts:
    """Move the statement that makes the state in front of the loop."""
    module, statement = found.module, found.module.statement(found.node)
    loop = loop_around(module, statement) if statement is not None else None
    if statement is None or loop is None:
        return
    span = module.span(loop)
    indent = module.lines[span.line - 1][: span.column]
    draft = Draft(module).add_lines(span.line, f"{indent}{module.text(statement)}")
    yield draft.drop(statement)


def _call_of(module: Module, made: ast.Call) -> ast.Call | None:
    """Return the call of a gradient: of the expression itself, or of the only name for it."""
    outer = module.parents.get(made)
    if isinstance(outer, ast.Call) and outer.func is made:
        return outer
    statement = module.statement(made)
    names = bound_names(statement) if isinstance(statement, ast.Assign) else set()
    calls = [n for n in module.calls if path_of(n.func) in names]
    return calls[0] if len(calls) == 1 else None


def add_argnums(found: Finding) -> Drafts:
    """Differentiate with respect to the argument that the gradient moves."""
    module = found.module
    gradient = found.node if isinstance(found.node, ast.Call) else None
    call = _call_of(module, gradient) if gradient is not None else None
    if gradient is None or call is None:
        return
    names = [path_of(a) for a in call.args]
    for target in [n for n in module.nodes if isinstance(n, ast.Assign | ast.AugAssign)]:
        name = path_of(target.targets[0] if isinstance(target, ast.Assign) else target.target)
        moved = name is not None and name in names[1:] and not is_number(target.value)
        if moved and isinstance(target.value, ast.BinOp | ast.Name | ast.Call):
            position = names.index(name)
            yield Draft(module).after(gradient.args[-1], f", argnums={position}")
            return


RULES = (
    Rule(
        "update-result-dropped",
        read(
            at_each(ast.Expr, dropped),
            at_each(ast.Expr, lost_result),
            read_accumulated,
            read_unread,
            of_all=read_own_updates,
            imports=TRAINING,
        ),
        keep_result,
    ),
    Rule(
        "state-not-carried",
        read(
            at_each(ast.Assign, lost_states),
            read_statistics,
            read_lost_statistics,
            imports=TRAINING,
        ),
        carry_state,
    ),
    Rule(
        "optimizer-state-reset",
        read(
            at_each(ast.Assign, states_made_again),
            read_epoch_states,
            read_solver_states,
            imports=TRAINING,
        ),
        make_state_once,
    ),
    Rule(
        "grad-wrong-argnum",
        read(
            at_each(ast.Assign, gradient_of_input),
            at_each(ast.AugAssign, gradient_of_input),
            imports=TRAINING,
        ),
        add_argnums,
    ),
)
