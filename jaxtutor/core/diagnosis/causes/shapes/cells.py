"""Matches and fixes recurrent cells that get their state first, and the input after it."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall


class StateFirst(AtCall, frozen=True, kw_only=True):
    """A call of a cell of Equinox with the state before the input."""


def state_first(found: AtCall, given: int, taken: int) -> StateFirst | None:
    """Return the call of a cell whose second argument has the size of its input."""
    cell = found.frame.fact(found.node.func)
    if cell is None or not cell.detail.endswith("Cell") or len(found.node.args) < 2:
        return None
    first, second = found.node.args[:2]
    if _size(found.frame, first) != str(given) or _size(found.frame, second) != str(taken):
        return None
    text = found.module.text
    facts = {
        "name": text(found.node.func),
        "argument": f"{text(second)}, {text(first)}",
        "detail": f"{text(first)}, {text(second)}",
    }
    return StateFirst(None, facts, "cell", context=found.context, node=found.node)


def _size(frame: FrameContext, node: ast.expr) -> str:
    """Return the size of a vector; empty for anything else."""
    fact = frame.fact(node)
    return fact.detail.partition("[")[2].rstrip("]") if fact is not None else ""


def input_first(found: StateFirst) -> Drafts:
    """Pass the input, then the state."""
    first, second = found.node.args[:2]
    draft = Draft(found.module).certain().replace(first, found.module.text(second))
    yield draft.replace(second, found.module.text(first))
