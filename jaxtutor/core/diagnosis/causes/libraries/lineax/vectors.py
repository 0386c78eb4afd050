"""Matches and fixes linear solves of Lineax whose vector does not fit the operator."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import fresh_name
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.calls import argument

_STRUCT = re.compile(r"ShapeDtypeStruct\(shape=\(([\d, ]*)\), dtype=(\w+)\)")


class OtherVector(AtCall, frozen=True, kw_only=True):
    """A solve whose right side, `vector`, has another type than the operator returns."""

    vector: ast.expr


def other_vector(context: FailureContext) -> OtherVector | None:
    """The right side of a linear solve has another shape or dtype than the operator's result."""
    call = at_call(context)
    vector = argument(call.node, 1, "vector") if call is not None else None
    types = _STRUCT.findall(context.message)
    if call is None or vector is None or len(types) != 2:
        return None
    (shape, dtype), (expected, other) = types
    given, wanted = _sizes_in(shape), _sizes_in(expected)
    is_columns = len(given) == 2 and given[:1] == wanted
    form = "dtype" if given == wanted else "columns" if is_columns else ""
    facts = {
        "name": call.module.text(vector),
        "argument": " ".join(call.module.text(call.node.args[0]).split()) if call.node.args else "",
        "detail": f"{dtype}[{','.join(given)}]",
        "aval": f"{other}[{','.join(wanted)}]",
    }
    place = call.frame.place(call.node)
    return OtherVector(place, facts, form, context=context, node=call.node, vector=vector)


def _sizes_in(shape: str) -> list[str]:
    return re.findall(r"\d+", shape)


def map_columns(found: OtherVector) -> Drafts:
    """Solve for each column of the right side, where the value of the solution is taken."""
    module, taken = found.module, found.module.parents.get(found.node)
    if found.form != "columns" or not isinstance(taken, ast.Attribute) or taken.attr != "value":
        return
    column, draft = fresh_name(module, "column"), Draft(module).certain()
    start, end = module.span(found.node), module.span(found.vector)
    head = type(start)(start.line, start.column, end.line, end.column)
    tail = type(start)(end.end_line, end.end_column, start.end_line, start.end_column)
    mapped = (
        f"{draft.name('jax.vmap')}(lambda {column}: {module.text(head)}{column}{module.text(tail)}"
        f".value, in_axes=1, out_axes=1)({module.text(found.vector)})"
    )
    yield draft.replace(taken, mapped)


RULES = (Rule("vector-unlike-operator", raised(other_vector), map_columns),)
