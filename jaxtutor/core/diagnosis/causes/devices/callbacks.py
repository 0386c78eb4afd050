"""Matches and fixes host callbacks whose result is not declared with a shape and a dtype."""

from __future__ import annotations

import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
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


def unmapped_callback(context: FailureContext) -> AtCall | None:
    """A callback under vmap does not say how it handles a batch."""
    call = at_call(context)
    if call is None or call.path not in _CALLBACKS:
        return None
    return None if keyword_of(call.node, "vmap_method") else call


def call_for_each(found: AtCall) -> Drafts:
    """Call the function once for each example, which is right for every function."""
    yield add_argument(Draft(found.module).certain(), found.node, 'vmap_method="sequential"')


RULES = (
    Rule("callback-result-not-described", raised(undescribed_result)),
    Rule("callback-without-vmap-method", raised(unmapped_callback), call_for_each),
)
