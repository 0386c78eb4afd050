"""Matches and fixes calls of `diffeqsolve`: steps without error estimates, times, matrices."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import path_of
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.names import bound_value, last_part

_STEP = re.compile(
    r"we instead got t1 with value (\S+) .*?t0 with value (\S+) .*?dt0 with value (\S+) ", re.S
)


class Solve(AtCall, frozen=True, kw_only=True):
    """A call of a solver with an argument that it refuses, `given`."""

    given: ast.expr


def _solve(context: FailureContext, position: int, name: str, form: str = "") -> Solve | None:
    """Return the call at fault with one of its arguments."""
    call = at_call(context)
    given = argument(call.node, position, name) if call is not None else None
    if call is None or given is None:
        return None
    facts = {"name": " ".join(call.module.text(given).split())}
    return Solve(
        call.frame.place(given) if form else None,
        facts,
        form,
        context=context,
        node=call.node,
        given=given,
    )


def without_estimates(context: FailureContext) -> Solve | None:
    """A solver of fixed steps is used with a controller that chooses the steps by the error."""
    return _solve(context, 1, "solver")


def half_solver(found: Solve) -> Drafts:
    """Let the solver estimate its error from two half steps.

    It is not certain: another solver, or steps of one length, may be what is meant.
    """
    draft = Draft(found.module)
    yield draft.wrap(found.given, f"{draft.name('diffrax.HalfSolver')}(", ")")


def outside_interval(context: FailureContext) -> Solve | None:
    """A solution is saved at times outside the solve, or the first step leads away from its end."""
    step = _STEP.search(context.message)
    if step is not None:
        found = _solve(context, 4, "dt0", "step")
        if found is None:
            return None
        sign = "negative" if step[3].startswith("-") else "positive"
        facts = {**found.facts, "detail": f"from {step[2]} to {step[1]}", "condition": sign}
        return replace(found, facts=facts)
    found = _solve(context, 10, "saveat")
    times = _saved_times(found) if found is not None else None
    if found is None or times is None:
        return found
    end = argument(found.node, 3, "t1")
    facts = {
        "name": found.module.text(times),
        "argument": found.module.text(end) if end is not None else "t1",
    }
    form = "order" if "increasing or decreasing" in context.message else ""
    return replace(found, facts=facts, form=form)


def _saved_times(found: Solve) -> ast.expr | None:
    """Return the times of a `SaveAt(ts=…)`."""
    made = bound_value(found.module, found.given)
    return argument(made, None, "ts") if isinstance(made, ast.Call) else None


def turn_step(found: Solve) -> Drafts:
    """Let the first step lead to the end, or let the solve end with the last time to save."""
    if found.form == "step":
        yield _turned(found)
        return
    times, end = _saved_times(found), argument(found.node, 3, "t1")
    if not found.form and end is not None and path_of(times) is not None:
        yield Draft(found.module).replace(end, f"{found.facts['name']}[-1]")


def _turned(found: Solve) -> Draft:
    draft, given = Draft(found.module).certain(), found.given
    if isinstance(given, ast.UnaryOp) and isinstance(given.op, ast.USub):
        return draft.replace(given, found.module.text(given.operand))
    return draft.replace(given, f"-{atom(found.module, given)}")


def raw_matrix(context: FailureContext) -> Solve | None:
    """A linear solve of Lineax gets an array in the place of an operator."""
    return _solve(context, 0, "operator")


def as_operator(found: Solve) -> Drafts:
    """Wrap the matrix; a solver for definite matrices needs it declared as one, if it is one."""
    draft = Draft(found.module)
    solver = argument(found.node, 2, "solver")
    kind = (found.frame.callee(bound_value(found.module, solver)) or "") if solver else ""
    is_definite = last_part(kind) in ("Cholesky", "CG", "NormalCG")
    tag = f", {draft.name('lineax.positive_semidefinite_tag')}" if is_definite else ""
    draft.wrap(found.given, f"{draft.name('lineax.MatrixLinearOperator')}(", f"{tag})")
    yield draft if is_definite else draft.certain()


def without_term(context: FailureContext) -> Solve | None:
    """A vector field stands where `diffeqsolve` takes terms."""
    got = context.message.partition("but expected")[0]
    found = _solve(context, 0, "terms")
    is_term = re.search(r"\b\w+Term\b", got) is not None
    return None if found is None or is_term or isinstance(found.given, ast.Tuple) else found


def as_term(found: Solve) -> Drafts:
    """Wrap the vector field in a term of an ordinary differential equation."""
    draft = Draft(found.module).certain()
    yield draft.wrap(found.given, f"{draft.name('diffrax.ODETerm')}(", ")")


RULES = (
    Rule("steps-without-error-estimates", raised(without_estimates), half_solver),
    Rule("times-outside-solve", raised(outside_interval), turn_step),
    Rule("vector-field-for-term", raised(without_term), as_term),
    Rule("matrix-for-operator", raised(raw_matrix), as_operator),
)
