"""Corrects training loops: keeps results and states, and differentiates the right argument."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.causes.training.accumulated import pass_total, read_accumulated
from jaxtutor.core.diagnosis.causes.training.epoch_states import (
    read_epoch_states,
    read_solver_states,
)
from jaxtutor.core.diagnosis.causes.training.gradients import add_argnums, gradient_of_input
from jaxtutor.core.diagnosis.causes.training.late_states import late_states
from jaxtutor.core.diagnosis.causes.training.lost_statistics import read_lost_statistics
from jaxtutor.core.diagnosis.causes.training.own_updates import keep_array, read_own_updates
from jaxtutor.core.diagnosis.causes.training.states import (
    MadeAgain,
    NewState,
    NotCarried,
    NotStored,
    lost_states,
    states_made_again,
)
from jaxtutor.core.diagnosis.causes.training.statistics import read_statistics, take_collection
from jaxtutor.core.diagnosis.causes.training.unread import pass_changed, read_unread
from jaxtutor.core.diagnosis.causes.training.updates import (
    DroppedResult,
    DroppedUpdate,
    assigned_elements,
    dropped,
    dropped_value,
    lost_result,
    mapped_and_returned,
    renewed_and_returned,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, at_each, by_match, read
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import argument_for, method_of
from jaxtutor.core.diagnosis.reading.functions import returned


def keep_update(found: DroppedUpdate) -> Drafts:
    """Assign the result of an update to what it updates."""
    module, call = found.module, found.node
    if path_of(found.updated) is not None and module.dotted(call.func) != "jax.random.fold_in":
        draft = Draft(module).before(call, f"{module.text(found.updated)} = ")
        yield draft.certain() if _only_updates(module, call) else draft


def _only_updates(module: Module, call: ast.Call) -> bool:
    """Return whether a call has no use but its result; one of JAX's may be a first run for time."""
    path = module.dotted(call.func) or ""
    is_method = method_of(call) == "apply_gradients"
    return is_method or path.startswith(("optax.", "equinox."))


def keep_renewed(found: DroppedResult) -> Drafts:
    """Assign each part of a function's result to the argument that it is the new value of."""
    module, call, function = found.module, found.node, found.function
    ends = [e for e in returned(function) if e is not None]
    renewed = list(renewed_and_returned(function))
    names = [path_of(p) or "" for p in assigned_elements(ends[0])] if len(ends) == 1 else []
    if not renewed:
        renewed = names = list(mapped_and_returned(module, function))
    given = {n: argument_for(function, call, n) for n in renewed}
    targets = [module.text(value) if (value := given.get(n)) is not None else "_" for n in names]
    if set(targets) - {"_"}:
        yield Draft(module).before(call, f"{', '.join(targets)} = ")


def take_states(found: NotCarried) -> Drafts:
    """Take a new state where an underscore stands for it."""
    for element, name in found.dropped:
        yield Draft(found.module).replace(element, name)


def return_new(found: NewState) -> Drafts:
    """Return the new state of a loss in the place of the old one."""
    yield Draft(found.module).replace(found.node, found.new)


def store_statistics(found: NotStored) -> Drafts:
    """Let the train state store the statistics that the loss returns."""
    yield Draft(found.module).after(found.step.keywords[-1], f", {found.text}")


def make_state_once(found: MadeAgain) -> Drafts:
    """Move the statement that makes the state in front of the loop."""
    module, statement = found.module, found.node
    if found.loop is not None:
        span = module.span(found.loop)
        indent = module.lines[span.line - 1][: span.column]
        draft = Draft(module).add_lines(span.line, f"{indent}{module.text(statement)}")
        yield draft.drop(statement)


RULES = (
    Rule(
        "update-result-dropped",
        read(
            at_each(ast.Expr, dropped),
            at_each(ast.Expr, dropped_value),
            at_each(ast.Expr, lost_result),
            read_accumulated,
            read_unread,
            of_all=read_own_updates,
            imports=TRAINING,
        ),
        by_match(keep_update, keep_renewed, pass_total, pass_changed, keep_array),
    ),
    Rule(
        "state-not-carried",
        read(
            at_each(ast.Assign, lost_states),
            at_each(ast.Assign, late_states),
            read_statistics,
            read_lost_statistics,
            imports=TRAINING,
        ),
        by_match(take_states, return_new, store_statistics, take_collection),
    ),
    Rule(
        "optimizer-state-reset",
        read(
            at_each(ast.Assign, states_made_again),
            read_epoch_states,
            read_solver_states,
            imports=TRAINING,
        ),
        by_match(make_state_once),
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
