"""Matches calls of a library's function that lack an argument."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.causes.python.wrong_calls import ARITY, WrongArity
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.phrases import listed as as_list
from jaxtutor.core.diagnosis.reading.calls import callee_root
from jaxtutor.core.diagnosis.reading.library_calls import PACKAGES, package_called

_REQUIRED = re.compile(r"Missing required argument `(\w+)`")
_LIBRARY_MISSING = re.compile(
    r"missing (?:\d+|a) required (?:positional |keyword-only )?arguments?: (.*)"
)
UNEXPECTED = re.compile(r"unexpected keyword argument '(\w+)'")
# The sentences for arguments that mean the same wherever a library requires them.
_FORMS: dict[tuple[str, ...], str] = {
    ("wrt",): "optimizer_wrt",
    ("rngs",): "layer_rngs",
    ("key",): "layer_key",
    ("state",): "layer_state",
}


def library_arity(context: FailureContext) -> WrongArity | None:
    """A function of a library other than JAX is called with the wrong arguments."""
    frame, message = context.frame, context.message
    if frame is None or context.call is None:
        return None
    path = frame.callee(context.call) or frame.dotted(callee_root(context.call)) or ""
    package = package_called(frame, context.call)
    if not {path.partition(".")[0], context.library, package} & PACKAGES:
        return None
    required, listed = _REQUIRED.search(message), _LIBRARY_MISSING.search(message)
    if required is None and listed is None and ARITY.search(message) is None:
        return None
    said = required[0] if required is not None else listed[1] if listed is not None else ""
    missing = tuple(re.findall(r"['`](\w+)['`]", said))
    name = frame.module.text(context.call.func)
    facts = {"name": name, "argument": as_list(missing), "detail": _sentence(message)}
    form = _library_form(context.call, missing)
    field = UNEXPECTED.search(message)
    if field is not None and path.endswith("TrainState.create"):
        facts, form = {**facts, "argument": field[1]}, "state_field"
    return WrongArity(None, facts, form, context=context, missing=missing)


def _sentence(message: str) -> str:
    """Return the first sentence of a message, without its full stop."""
    return re.split(r"\.(?:\s|$)", message.strip(), maxsplit=1)[0]


def _library_form(call: ast.Call, missing: tuple[str, ...]) -> str:
    """Name the sentences for what is missing in a call of a library."""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if method == "update" and missing == ("grads",):
        return "optimizer_update"
    if method == "update" and "value" in missing:
        return "optimizer_value"
    return _FORMS.get(missing, "library_missing" if missing else "library")
