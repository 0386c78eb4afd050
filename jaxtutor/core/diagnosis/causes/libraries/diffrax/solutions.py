"""Matches and fixes solves of Diffrax: what they keep, their tolerances, swapped arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import argument, calls_of, keyword_of
from jaxtutor.core.diagnosis.reading.library_calls import known_fact, place_of_call
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.reading.values import is_number

_SOLVES = ("diffrax.diffeqsolve", "diffrax._integrate.diffeqsolve")
_SAVEAT = 10
"""The position of `saveat` among the arguments of `diffeqsolve`."""


class NotDense(AtFrame, frozen=True, kw_only=True):
    """A solution that is evaluated between its saved times; `solve` made it, in the file `home`."""

    home: Module
    solve: ast.Call


def not_dense(context: FailureContext) -> AtFrame | None:
    """A solution is evaluated at any time, and the solve kept no interpolation."""
    frame = context.frame
    solves = list(_solves(context))
    if frame is None:
        return None
    if len(solves) != 1:
        return AtFrame(context=context)
    home, solve = solves[0]
    saved = argument(solve, _SAVEAT, "saveat")
    made = bound_value(home, saved) if saved is not None else None
    facts = {"name": home.text(solve.func)}
    return NotDense(
        home.location(made if made is not None else solve),
        facts,
        context=context,
        home=home,
        solve=solve,
    )


def _solves(context: FailureContext) -> Iterator[tuple[Module, ast.Call]]:
    for module in context.modules.values():
        for call in calls_of(module, *_SOLVES):
            yield module, call


def keep_interpolation(found: NotDense) -> Drafts:
    """Let the solve keep its interpolation, beside what it saves already."""
    draft = Draft(found.home).certain()
    saved = argument(found.solve, _SAVEAT, "saveat")
    made = bound_value(found.home, saved) if saved is not None else None
    if saved is None:
        name = draft.name("diffrax.SaveAt")
        yield add_argument(draft, found.solve, f"saveat={name}(dense=True)")
    elif isinstance(made, ast.Call) and keyword_of(made, "dense") is None:
        yield add_argument(draft, made, "dense=True")


def without_tolerances(context: FailureContext) -> AtCall | None:
    """A solve without a step size controller gets no step size, or a solver with an inner loop."""
    call = at_call(context)
    if call is None or call.frame.callee(call.node) not in _SOLVES:
        return None
    solver = argument(call.node, 1, "solver")
    facts = {
        "name": place_of_call(call.frame, call.node),
        "argument": call.module.text(solver) if solver is not None else "the solver",
    }
    form = "implicit" if "implicit solver" in context.message else ""
    return AtCall(None, facts, form, context=context, node=call.node)


def choose_steps(found: AtCall) -> Drafts:
    """Let the error choose the steps; which tolerances are right is for the author to say."""
    if keyword_of(found.node, "stepsize_controller") is None:
        draft = Draft(found.module)
        controller = f"{draft.name('diffrax.PIDController')}(rtol=1e-5, atol=1e-6)"
        yield add_argument(draft, found.node, f"stepsize_controller={controller}")


class StateForStep(AtCall, frozen=True, kw_only=True):
    """A solve that gets the state, an array with axes, as its step, and the step as its state."""

    step: ast.expr
    state: ast.expr


def state_for_step(context: FailureContext) -> StateForStep | None:
    """The state of a solve stands where the first step belongs, and the step after it."""
    for frame in context.frames:
        call = frame.node
        if not isinstance(call, ast.Call) or frame.callee(call) not in _SOLVES:
            continue
        if len(call.args) < 6:
            return None
        step, state = call.args[4:6]
        fact = known_fact(context, frame, step)
        is_state = fact is not None and "[" in fact.detail and not fact.detail.endswith("[]")
        is_step = is_number(state) or frame.kind(state) == "number"
        if not is_state or not is_step:
            return None
        facts = {"name": frame.module.text(step), "argument": frame.module.text(state)}
        return StateForStep(
            frame.place(call),
            facts,
            context=context,
            outer_frame=frame,
            node=call,
            step=step,
            state=state,
        )
    return None


def step_before_state(found: StateForStep) -> Drafts:
    """Swap the step and the state."""
    module = found.module
    draft = Draft(module).certain().replace(found.step, module.text(found.state))
    yield draft.replace(found.state, module.text(found.step))


RULES = (
    Rule("state-for-step", raised(state_for_step, of_any_class=True), step_before_state),
    Rule("solution-not-dense", raised(not_dense), by_match(keep_interpolation)),
    Rule("steps-without-tolerances", raised(without_tolerances), choose_steps),
)
