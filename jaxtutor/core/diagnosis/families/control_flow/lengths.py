"""Matches loops over arrays of several lengths."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.families.flax.broadcast import taken_apart
from jaxtutor.core.diagnosis.library_calls import given_values
from jaxtutor.core.diagnosis.reading import argument
from jaxtutor.core.diagnosis.rules import AtCall, InContext, at_call

_FIRST = re.compile(r"\w+\[(\d+)[\d,]*\]$")


def lengths_differ(context: FailureContext) -> InContext | None:
    """A scan goes over arrays, or with a length, of which the first axes differ."""
    return taken_apart(context) or _lengths_of_call(context)


def _lengths_of_call(context: FailureContext) -> AtCall | None:
    call = at_call(context)
    if call is None or call.path not in ("jax.lax.scan", "jax.lax.map"):
        return None
    xs = argument(call.node, 2 if call.path.endswith("scan") else 1, "xs")
    parts = list(xs.elts) if isinstance(xs, ast.Tuple | ast.List) else []
    parts += list(xs.values) if isinstance(xs, ast.Dict) else []
    said = []
    for part in parts:
        fact = call.frame.fact(part)
        length = _FIRST.search(fact.detail) if fact is not None else None
        if length is not None:
            said.append(f"{_named(context, call, part)} has {length[1]}")
    facts = {"detail": ", ".join(said) or re.sub(r".*: ", "", context.message).rstrip(".")}
    return AtCall(None, facts, context=context, frame=call.frame, node=call.node, path=call.path)


def _named(context: FailureContext, call: AtCall, part: ast.expr) -> str:
    """Write an array with the expression that it comes from, if that is another."""
    text = call.module.text(part)
    source = given_values(context, call.frame, part)[-1]
    home = next((m for m in context.modules.values() if source in m.parents), call.module)
    origin = " ".join(home.text(source).split())
    is_other = origin != text and len(origin) <= 40
    return f"`{text}` (`{origin}` in line {source.lineno})" if is_other else f"`{text}`"
