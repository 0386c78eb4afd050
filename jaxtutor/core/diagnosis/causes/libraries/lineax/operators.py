"""Matches and fixes linear solves of Lineax whose solver needs an operator of another kind."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.library_calls import given_values, home_of

_SAID = re.compile(r"`(\w+)(?:\([^`]*\))?` may only be used for")
_TAGS = {
    "Cholesky": "positive_semidefinite_tag",
    "CG": "positive_semidefinite_tag",
    "Triangular": "lower_triangular_tag",
    "Diagonal": "diagonal_tag",
    "Tridiagonal": "tridiagonal_tag",
}
"""Which tag of an operator each solver asks for."""
_TAGGED = {"lineax.MatrixLinearOperator": 1, "lineax.FunctionLinearOperator": 2}
"""Operators that take tags, and the position of that argument."""


class Operator(AtCall, frozen=True, kw_only=True):
    """A solve whose operator `made`, in the file `home`, lacks the tag that the solver needs."""

    home: Module | None
    made: ast.Call | None
    tag: str


def untagged(context: FailureContext) -> Operator | None:
    """A solver of Lineax needs an operator with a property that is not declared, or a square one.

    The operator is where the program makes it, if that is known.
    """
    call = at_call(context)
    given = argument(call.node, 0, "operator") if call is not None else None
    said = _SAID.search(context.message)
    solver = said[1] if said is not None else "AutoLinearSolver"
    if call is None or given is None:
        return None
    made = [v for v in given_values(context, call.frame, given) if isinstance(v, ast.Call)]
    home = home_of(context, made[-1]) if made else None
    path = (home.dotted(made[-1].func) or "") if home is not None else ""
    is_square = "square" not in context.message
    facts = {"name": solver, "argument": call.module.text(given), "detail": _TAGS.get(solver, "")}
    is_known = is_square and path in _TAGGED
    return Operator(
        home.location(made[-1]) if home is not None and is_known else None,
        facts,
        "" if is_square else "square",
        context=context,
        node=call.node,
        home=home if is_known else None,
        made=made[-1] if is_known else None,
        tag=_TAGS.get(solver, ""),
    )


def declare_tag(found: Operator) -> Drafts:
    """Declare what the solver needs, or solve a system that is not square by least squares.

    A declaration is never certain: a Cholesky factorization reads one half of the matrix only, and
    does not see that the other differs.
    """
    if found.form == "square":
        yield from _least_squares(found)
    elif found.home is not None and found.made is not None and found.tag:
        draft = Draft(found.home)
        tags = argument(found.made, _TAGGED[found.home.dotted(found.made.func) or ""], "tags")
        if tags is None:
            yield add_argument(draft, found.made, draft.name(f"lineax.{found.tag}"))


def _least_squares(found: Operator) -> Drafts:
    draft = Draft(found.module)
    made = f"{draft.name('lineax.AutoLinearSolver')}(well_posed=False)"
    solver = argument(found.node, 2, "solver")
    if solver is not None:
        yield draft.replace(solver, made)
    else:
        yield add_argument(draft, found.node, f"solver={made}").certain()


RULES = (Rule("operator-without-tag", raised(untagged), declare_tag),)
