"""Matches callbacks that are given a text: JAX passes arrays to the host."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised

# The number of arguments before those of the callback.
_CALLBACKS = {
    "jax.pure_callback": 2,
    "jax.experimental.io_callback": 2,
    "jax._src.callback.pure_callback": 2,
    "jax._src.callback.io_callback": 2,
    "jax.debug.callback": 1,
    "jax._src.debugging.debug_callback": 1,
}


def text_passed(context: FailureContext) -> AtCall | None:
    """A callback is passed a text beside its arrays."""
    call = at_call(context)
    start = _CALLBACKS.get(call.path) if call is not None else None
    if call is None or start is None or any(isinstance(a, ast.Starred) for a in call.node.args):
        return None
    given = [*call.node.args[start:], *(k.value for k in call.node.keywords if k.arg)]
    shown = [a for a in given if _is_string_value(call, a)]
    if not shown:
        return None
    facts = {
        "name": call.module.text(call.node.func),
        "function": call.module.text(call.node.args[0]),
        "argument": ", ".join(f"`{call.module.text(text)}`" for text in shown),
        "condition": call.module.text(shown[0]),
    }
    return AtCall(None, facts, context=context, node=call.node)


def _is_string_value(call: AtCall, node: ast.expr) -> bool:
    if isinstance(node, ast.Constant | ast.JoinedStr):
        return isinstance(node, ast.JoinedStr) or isinstance(node.value, str)
    return call.frame.kind(node) == "str"


RULES = (Rule("callback-given-text", raised(text_passed)),)
