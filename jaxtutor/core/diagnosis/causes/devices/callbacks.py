"""Matches and fixes host callbacks whose result is not declared with a shape and a dtype."""

from __future__ import annotations

import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, by_message, raised
from jaxtutor.core.diagnosis.reading.calls import argument, keyword_of

_CALLBACKS = ("jax.pure_callback", "jax.experimental.io_callback")


def undescribed_result(context: FailureContext) -> AtCall | None:
    """The result of a callback is declared by a shape alone, by a dtype, or with 64 bits."""
    call = at_call(context)
    if call is None or call.path not in _CALLBACKS:
        return None
    declared = argument(call.node, 1, "result_shape_dtypes")
    if declared is None:
        return None
    is_wide = "64-bit types" in context.message
    is_dtype = "'shape'" in context.message
    if not is_wide and re.search(r"has no attribute '(?:dtype|shape)'", context.message) is None:
        return None
    facts = {"name": call.module.text(call.node.func), "argument": call.module.text(declared)}
    form = "wide" if is_wide else "dtype" if is_dtype else ""
    return AtCall(None, facts, form, context=context, node=call.node)


def call_for_each(found: AtFrame) -> Drafts:
    """Call the function once for each example, which is right for every function."""
    call = found.call
    if call is not None and keyword_of(call, "vmap_method") is None:
        yield add_argument(Draft(found.module).certain(), call, 'vmap_method="sequential"')


RULES = (
    Rule("callback-result-not-described", raised(undescribed_result)),
    Rule("callback-without-vmap-method", by_message(), call_for_each),
)
