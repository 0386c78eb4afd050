"""Says what was refused in a failure without a cause: the expression, and what it admits."""

from __future__ import annotations

from functools import partial

from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.guard import guarded
from jaxtutor.core.diagnosis.refusals import arguments, attributes, calls, items, operands
from jaxtutor.core.diagnosis.refusals.failed import FailedExpression, Refusal

_RECOGNISERS = (
    operands.bits_of_floats,
    operands.minus_of_booleans,
    operands.operand,
    operands.repeated,
    operands.memory_spaces,
    arguments.array_argument,
    arguments.jax_type,
    arguments.value_for_function,
    arguments.no_result,
    arguments.axis,
    arguments.integer,
    items.list_index,
    items.path_key,
    items.number_for_key,
    items.text_index,
    items.subscripted,
    attributes.no_setter,
    attributes.attribute,
    calls.called,
    calls.missing_argument,
    calls.keyword,
    calls.out,
    arguments.function_first,
)


def refusal(context: FailureContext) -> Refusal | None:
    """Return what an operation refused; None where the message does not say."""
    frame, node = context.frame, context.node
    if frame is None or node is None:
        return None
    failed = FailedExpression(context, frame, node)
    asked = (guarded("a refusal", partial(recognise, failed)) for recognise in _RECOGNISERS)
    return next((refused for refused in asked if refused is not None), None)
