"""Matches and fixes linear systems without a unique solution, in Lineax and Optimistix."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import argument

_SOLVES = frozenset(
    f"optimistix.{name}" for name in ("root_find", "least_squares", "fixed_point", "minimise")
) | {"lineax.linear_solve", "diffrax.diffeqsolve"}
_SOLVERS = {
    "lineax.linear_solve": ("solver", 2),
    "optimistix.Newton": ("linear_solver", 4),
    "optimistix.Chord": ("linear_solver", 4),
}
"""Calls that choose a linear solver: the name and the position of that argument."""


class Singular(AtFrame, frozen=True, kw_only=True):
    """A solve that divides by a singular matrix; `makers` choose how linear systems are solved."""

    makers: tuple[tuple[Module, ast.Call], ...]


def singular_system(context: FailureContext) -> Singular | None:
    """A linear solver found no finite solution.

    The call is at fault where the program makes one solve only, also inside a jitted function.
    """
    frame = context.frame
    if frame is None:
        return None
    calls = [(m, n) for m in context.modules.values() for n in m.calls]
    solves = [(m, n) for m, n in calls if m.dotted(n.func) in _SOLVES]
    is_at_solve = frame.callee(context.node) in _SOLVES
    place = solves[0][0].location(solves[0][1]) if len(solves) == 1 and not is_at_solve else None
    makers = tuple(
        (m, n)
        for m, n in calls
        if (option := _SOLVERS.get(m.dotted(n.func) or "")) is not None
        and argument(n, option[1], option[0]) is None
    )
    at = (frame.module, frame.node) if is_at_solve or len(solves) != 1 else solves[0]
    name = at[0].text(at[1].func) if isinstance(at[1], ast.Call) else ""
    facts = {"name": name}
    return Singular(place, facts, context=context, makers=makers)


def least_squares(found: Singular) -> Drafts:
    """Solve for the least squares. It is not certain: a singular matrix may be a mistake itself."""
    if len(found.makers) != 1:
        return
    module, maker = found.makers[0]
    draft = Draft(module)
    name, _ = _SOLVERS[module.dotted(maker.func) or ""]
    solver = f"{draft.name('lineax.AutoLinearSolver')}(well_posed=False)"
    yield add_argument(draft, maker, f"{name}={solver}")


RULES = (Rule("singular-linear-system", raised(singular_system), least_squares),)
