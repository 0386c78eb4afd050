"""Matches calls of libraries without an argument that they need, such as an initializer."""

from __future__ import annotations

from msgspec.structs import replace

from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.families.calls.missing import argument_missing
from jaxtutor.core.diagnosis.rules import AtCall, at_call


def needed_argument(context: FailureContext) -> AtCall | None:
    """A function is called without an argument, or a parameter of Haiku has no first values."""
    if not context.message.startswith("Initializer must"):
        return argument_missing(context)
    call = at_call(context)
    if call is None or not call.path.startswith("haiku."):
        return None
    return replace(call, form="initializer")
