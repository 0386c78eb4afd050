"""Matches and fixes calls of libraries without an argument that they need."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.python.call_signatures import SIGNATURES, is_function
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.phrases import joined
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.names import last_part


def needed_argument(context: FailureContext) -> AtCall | None:
    """A function is called without an argument, or a parameter of Haiku has no first values."""
    if not context.message.startswith("Initializer must"):
        return _argument_missing(context)
    call = at_call(context)
    if call is None or not call.path.startswith("haiku."):
        return None
    return replace(call, form="initializer")


def _argument_missing(context: FailureContext) -> AtCall | None:
    """A function of a library is called without an argument that it needs."""
    call = at_call(context)
    said = re.search(r"(\w+)\(\) missing \d+ required .*?arguments?: (.*)", context.message)
    if call is None or said is None or context.failure.jax_frames:
        return None
    if (
        isinstance(call.node.func, ast.Attribute)
        and call.frame.kind(call.node.func.value) == "class"
    ):
        return None  # it may lack the object
    is_library = call.path.startswith(("jax.", "numpy.", "optax.", "flax.", "equinox."))
    if not is_library or last_part(call.path) != said[1]:
        return None
    missing = joined(re.findall(r"'(\w+)'", said[2]))
    facts = {"function": call.path, "name": missing}
    signature = SIGNATURES.get(call.path)
    if signature is None:
        return replace(call, facts=facts)
    return replace(call, facts={**facts, "detail": ", ".join(signature)}, form="listed")


def begin_at_zero(found: AtCall) -> Drafts:
    """Add the lower bound of a fori_loop: `range` may lack it, this loop may not."""
    call = found.node
    is_bound_missing = len(call.args) == 3 and is_function(found.frame, call.args[1])
    if found.path == "jax.lax.fori_loop" and is_bound_missing and not call.keywords:
        yield Draft(found.module).before(call.args[0], "0, ").certain()


RULES = (Rule("library-argument-missing", raised(needed_argument), begin_at_zero),)
