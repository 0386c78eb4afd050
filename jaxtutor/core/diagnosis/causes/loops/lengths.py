"""Matches and fixes loops over arrays of several lengths."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.causes.libraries.flax.broadcast import (
    hand_whole,
    taken_apart,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, InContext, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.library_calls import given_values, home_of
from jaxtutor.core.diagnosis.reading.values import elements

_FIRST = re.compile(r"\w+\[(\d+)[\d,]*\]$")


def lengths_differ(context: FailureContext) -> InContext | None:
    """A scan goes over arrays, or with a length, of which the first axes differ."""
    return taken_apart(context) or _lengths_of_call(context)


def _lengths_of_call(context: FailureContext) -> AtCall | None:
    call = at_call(context)
    if call is None or call.path not in ("jax.lax.scan", "jax.lax.map"):
        return None
    said = []
    for part in _scanned_parts(call):
        fact = call.frame.fact(part)
        length = _FIRST.search(fact.detail) if fact is not None else None
        if length is not None:
            said.append(f"{_array_with_origin(context, call, part)} has {length[1]}")
    facts = {"detail": ", ".join(said) or re.sub(r".*: ", "", context.message).rstrip(".")}
    return AtCall(None, facts, context=context, node=call.node)


def _scanned_parts(call: AtCall) -> list[ast.expr]:
    xs = argument(call.node, 2 if call.path.endswith("scan") else 1, "xs")
    if isinstance(xs, ast.Dict):
        return list(xs.values)
    return elements(xs)


def _array_with_origin(context: FailureContext, call: AtCall, part: ast.expr) -> str:
    """Write an array with the expression that it comes from, if that is another."""
    text = call.module.text(part)
    source = given_values(context, call.frame, part)[-1]
    home = home_of(context, source) or call.module
    origin = " ".join(home.text(source).split())
    is_other = origin != text and len(origin) <= 40
    return f"`{text}` (`{origin}` in line {source.lineno})" if is_other else f"`{text}`"


def _pair_neighbours(found: AtCall) -> Drafts:
    """Beside `v[1:]`, the scan goes over `v[:-1]`: each element and its successor."""
    parts = {found.module.text(part): part for part in _scanned_parts(found)}
    for text, part in parts.items():
        slices = [f"{text}{rest}" in parts for rest in ("[1:]", "[:-1]")]
        if isinstance(part, ast.Name | ast.Attribute) and slices.count(True) == 1:
            yield Draft(found.module).certain().after(part, "[:-1]" if slices[0] else "[1:]")


RULES = (
    Rule("scan-lengths-differ", raised(lengths_differ), by_match(hand_whole, _pair_neighbours)),
)
