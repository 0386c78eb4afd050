"""Matches and fixes forward-mode derivatives of functions that have only a backward rule."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.engine.transforms import (
    AppliedTransform,
    every,
    find_in_frames,
    name_of,
    place_of,
)
from jaxtutor.core.diagnosis.reading.calls import calls_of, keyword_of

_FORWARD = ("jacfwd", "hessian", "jvp", "linearize")
_SOLVES = ("diffrax.diffeqsolve", "diffrax._integrate.diffeqsolve")


class Forward(AtFrame, frozen=True, kw_only=True):
    """A forward-mode derivative `item`; `solves` are the calls of `diffeqsolve` in the program."""

    item: AppliedTransform
    solves: tuple[tuple[Module, ast.Call], ...]


def forward_mode(context: FailureContext) -> Forward | None:
    """A derivative is pushed forward through a function that defines only how to go back."""
    frame = context.frame
    items = every(context, *_FORWARD)
    item = find_in_frames(context, *_FORWARD) or (items[0] if len(items) == 1 else None)
    if frame is None or item is None:
        return None
    func = item.call.func if item.call is not None else item.node
    solves = tuple(
        (module, call) for module in context.modules.values() for call in calls_of(module, *_SOLVES)
    )
    facts = {
        "name": item.module.text(func),
        "function": name_of(item.function),
        "argument": f"diffrax.{_adjoint(item)}()",
    }
    return Forward(
        place_of(item),
        facts,
        "diffrax" if solves else "",
        context=context,
        item=item,
        solves=solves,
    )


def _adjoint(item: AppliedTransform) -> str:
    """Name the adjoint of Diffrax for a derivative; a Hessian goes backwards and forwards."""
    return "DirectAdjoint" if item.kind == "hessian" else "ForwardMode"


def backward_mode(found: Forward) -> Drafts:
    """Let the solve keep what the derivative needs, or take the derivative in reverse mode."""
    if len(found.solves) == 1:
        module, solve = found.solves[0]
        if keyword_of(solve, "adjoint") is None:
            draft = Draft(module).certain()
            adjoint = draft.name(f"diffrax.{_adjoint(found.item)}")
            yield add_argument(draft, solve, f"adjoint={adjoint}()")
    item = found.item
    func = item.call.func if item.call is not None else item.node
    draft = Draft(item.module).certain()
    if item.kind == "jacfwd":
        yield draft.replace(func, draft.name("jax.jacrev"))


RULES = (Rule("forward-mode-through-custom-vjp", raised(forward_mode), backward_mode),)
