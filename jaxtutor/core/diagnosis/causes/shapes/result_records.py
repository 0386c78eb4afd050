"""Finds the result of a solver that is used as an array, where one of its fields is meant."""

from __future__ import annotations

import ast

from jaxtutor.core.data.failures import NameFact
from jaxtutor.core.diagnosis.causes.shapes.result_fields import (
    FieldMeant,
    field_meant,
    made_by,
    take_field,
)
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.names import last_part

_FIELDS = {
    ("jaxopt", "OptStep"): "params",
    ("jax", "OptimizeResults"): "x",
    ("optimistix", "Solution"): "value",
    ("lineax", "Solution"): "value",
    ("diffrax", "Solution"): "ys",
}
"""The field of each library's result that holds what was looked for."""


def result_meant(context: FailureContext) -> FieldMeant | None:
    """A result with several fields is used as the dict or the array that one of them holds."""
    return field_meant(context) or _record(context)


def _record(context: FailureContext) -> FieldMeant | None:
    """Find the one result of a solver that the expression at fault reads as a whole."""
    frame, node = context.frame, context.node
    if frame is None or node is None:
        return None
    names = {n.id: n for n in _whole_names(node) if _field_of(frame.fact(n))}
    if len(names) != 1:
        return None
    name, read = names.popitem()
    record, field = _field_of(frame.fact(read)) or ("", "")
    if record not in context.message:
        return None
    made = made_by(context, name)
    is_split = any(
        isinstance(n, ast.Attribute) and getattr(n.value, "id", "") == name
        for module in context.modules.values()
        for n in module.nodes
    )
    home, whole = made[0] if len(made) == 1 and not is_split else (frame.module, read)
    facts = {
        "name": name,
        "container": record,
        "argument": field,
        "detail": f"{' '.join(home.text(whole).split())}.{field}",
    }
    place = home.location(home.statement(whole) or whole)
    return FieldMeant(place, facts, context=context, home=home, whole=whole, fields=(f".{field}",))


def _whole_names(node: ast.AST) -> list[ast.Name]:
    """List the names that an expression reads as a whole, and not one of their attributes."""
    inner = {id(n.value) for n in ast.walk(node) if isinstance(n, ast.Attribute)}
    return [n for n in ast.walk(node) if isinstance(n, ast.Name) and id(n) not in inner]


def _field_of(fact: NameFact | None) -> tuple[str, str] | None:
    """Return the class of a result, and the field that is meant."""
    paths = (fact.detail, *fact.bases[:1]) if fact is not None else ()
    for path in paths:
        key = (path.partition(".")[0], last_part(path))
        if key in _FIELDS:
            return key[1], _FIELDS[key]
    return None


RULES = (Rule("result-field-not-taken", raised(result_meant), take_field),)
