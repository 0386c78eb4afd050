"""Matches and fixes masks of attention without an axis for the heads."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.reading.calls import keyword_of

_MASKS = {
    1: ("the batch and the keys", "[:, None, None, :]"),
    2: ("the batch, the queries and the keys", "[:, None]"),
}
_ATTENTION = ("dot_product_attention", "dot_product_attention_weights", "_dot_product_attention")


class MaskWithoutHeads(AtCall, frozen=True, kw_only=True):
    """A call of attention with a mask that lacks axes; `mask` is what is passed."""

    mask: ast.expr


def attention_mask(context: FailureContext) -> MaskWithoutHeads | None:
    """Return the call of attention whose mask has no axis for the heads."""
    call = at_call(context)
    option = keyword_of(call.node, "mask") if call is not None else None
    if call is None or option is None or not context.passed_through(*_ATTENTION):
        return None
    fact, text = call.frame.fact(option.value), call.module.text(option.value)
    axes = _MASKS.get(fact.detail.count(",")) if fact is not None else None
    if fact is None or axes is None or not fact.detail.endswith("]"):
        return None
    facts = {"name": text, "detail": fact.detail, "condition": axes[0], "argument": text + axes[1]}
    return MaskWithoutHeads(
        call.frame.place(option.value),
        facts,
        "attention",
        context=context,
        node=call.node,
        mask=option.value,
    )


def add_head_axis(found: MaskWithoutHeads) -> Drafts:
    """Give a mask the axis over which it is the same for every head."""
    yield Draft(found.module).certain().replace(found.mask, found.facts["argument"])
