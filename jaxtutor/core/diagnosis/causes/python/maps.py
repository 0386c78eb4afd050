"""Matches and fixes `jax.lax.map` with several arrays, which it takes as one tuple."""

from __future__ import annotations

import ast

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom, fresh_name, tuple_text
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised


def several_arrays(context: FailureContext) -> AtCall | None:
    """More than one array is passed by position, as Python's own `map` takes them."""
    found = at_call(context)
    if found is None or found.path != "jax.lax.map" or len(found.node.args) < 3:
        return None
    if any(isinstance(part, ast.Starred) for part in found.node.args):
        return None
    function, *arrays = (found.module.text(part) for part in found.node.args)
    facts = {"function": function, "argument": tuple_text(arrays), "detail": arrays[1]}
    if len(arrays) == 2 and found.frame.kind(found.node.args[2]) == "number":
        written = f"{found.module.text(found.node.func)}({function}, {arrays[0]}, "
        facts["argument"] = f"{written}batch_size={arrays[1]})"
        return AtCall(None, facts, "size", context=context, node=found.node)
    return AtCall(None, facts, context=context, node=found.node)


def map_tuple(found: AtCall) -> Drafts:
    """Pass one tuple, and spread its parts over the parameters of the function."""
    function, *arrays = found.node.args
    if found.form == "size":
        yield Draft(found.module).certain().before(arrays[1], "batch_size=")
        return
    name = fresh_name(found.module, "parts", "args")
    text = f"lambda {name}: {atom(found.module, function)}(*{name})"
    first, last = found.module.span(arrays[0]), found.module.span(arrays[-1])
    given = Span(first.line, first.column, last.end_line, last.end_column)
    parts = tuple_text([found.module.text(part) for part in arrays])
    yield Draft(found.module).certain().replace(function, text).replace(given, parts)


RULES = (Rule("map-over-several-arrays", raised(several_arrays), map_tuple),)
