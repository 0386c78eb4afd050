"""Matches and fixes functions among the parameters that `odeint` passes to a vector field."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.source import names_in
from jaxtutor.core.diagnosis.engine.transforms import resolve
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.names import last_name, last_part

_FUNCTION = re.compile(r"odeint \*args must be arrays or scalars, but got <function (\S+) at")
_FIRST = 3
"""The position of the first of the parameters, after the field, the state and the times."""


class FunctionForField(AtCall, frozen=True, kw_only=True):
    """A call of `odeint` that passes the functions `given` to its vector field."""

    given: tuple[ast.expr, ...]


def function_for_field(context: FailureContext) -> FunctionForField | None:
    """A vector field takes a function as a parameter, and `odeint` passes on arrays only."""
    call, said = at_call(context), _FUNCTION.search(context.message)
    if call is None or said is None or any(isinstance(a, ast.Starred) for a in call.node.args):
        return None
    name = last_part(said[1])
    given = tuple(
        a
        for a in call.node.args[_FIRST:]
        if isinstance(a, ast.Lambda) or call.frame.kind(a) == "function" or last_name(a) == name
    )
    if not given:
        return None
    facts = {"argument": call.module.text(given[0]), "name": call.module.text(call.node.args[0])}
    return FunctionForField(
        call.frame.place(given[0]), facts, "odeint", context=context, node=call.node, given=given
    )


def close_over(found: FunctionForField) -> Drafts:
    """Integrate a function of the arrays, which knows the functions itself."""
    module, call = found.module, found.node
    field, rest = call.args[0], call.args[_FIRST:]
    function = resolve(module, field, call)
    names = parameter_names(function)
    names = names[1:] if names[:1] == ["self"] else names
    if len(names) != len(rest) + 2 or call.keywords:
        return
    pairs = list(zip(names[2:], rest, strict=True))
    taken = [*names[:2], *(name for name, value in pairs if value not in found.given)]
    read = {name for value in found.given for name in names_in(value)} | names_in(field)
    if read & set(taken):
        return
    passed = [module.text(v) if v in found.given else name for name, v in pairs]
    inner = ", ".join([*names[:2], *passed])
    draft = Draft(module).certain()
    draft.replace(field, f"lambda {', '.join(taken)}: {module.text(field)}({inner})")
    kept = [module.text(v) for v in rest if v not in found.given]
    first, last = module.span(call.args[_FIRST - 1]), module.span(rest[-1])
    place = type(last)(first.end_line, first.end_column, last.end_line, last.end_column)
    yield draft.replace(place, "".join(f", {text}" for text in kept))
