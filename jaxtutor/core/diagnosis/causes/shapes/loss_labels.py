"""Matches and fixes labels of the form that the other cross entropy takes."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.names import last_part

_LOSSES = {
    "softmax_cross_entropy": "softmax_cross_entropy_with_integer_labels",
    "softmax_cross_entropy_with_integer_labels": "softmax_cross_entropy",
}
_REFUSED_LABELS = re.compile(r"subdtype of <class 'numpy\.integer'>, got (\w+)")


class WrongLabels(AtCall, frozen=True, kw_only=True):
    """A cross entropy with labels of the form that the other one takes; `other` is its path."""

    other: str


def is_loss_of_labels(frame: FrameContext, call: ast.Call) -> bool:
    """Return whether a call is one of the two cross entropies of Optax."""
    path = frame.callee(call) or ""
    return path.startswith("optax.") and last_part(path) in _LOSSES


def labels_of_other_loss(
    context: FailureContext, frame: FrameContext, call: ast.Call
) -> WrongLabels | None:
    """Return the call of a cross entropy, if its labels fit the other one."""
    path = frame.callee(call) or ""
    other = _LOSSES[last_part(path)]
    given = argument(call, 1, "labels")
    fact = frame.fact(given)
    refused = _REFUSED_LABELS.search(context.message)
    detail = fact.detail if fact is not None else refused[1] if refused is not None else ""
    if given is None or not detail:
        return None
    is_whole = detail.startswith(("int", "uint"))
    if is_whole is not other.endswith("_integer_labels"):
        return None
    facts = {"name": frame.module.text(given), "detail": detail, "function": f"optax.{other}"}
    return WrongLabels(None, facts, "labels", context=context, node=call, other=other)


def other_loss(found: WrongLabels) -> Drafts:
    """Compute the cross entropy that takes labels of this form."""
    if isinstance(found.node.func, ast.Attribute):
        home = found.module.text(found.node.func.value)
        yield Draft(found.module).certain().replace(found.node.func, f"{home}.{found.other}")
