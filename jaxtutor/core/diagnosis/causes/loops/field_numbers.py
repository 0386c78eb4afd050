"""Finds the number that gives a field of a branch's result another dtype than the other branch."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.named_parts import named_parts
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import declared_fields
from jaxtutor.core.diagnosis.reading.values import is_number

_SCALAR = re.compile(r"(\w+)\[\]")


class FieldNumber(AtFrame, frozen=True, kw_only=True):
    """A number in a constructor, in the file `home`, and the number of the other dtype."""

    home: Module
    number: ast.expr
    text: str


def field_number(context: FailureContext) -> FieldNumber | None:
    """One branch makes an object with a number of another dtype than the other branch has."""
    parts = (part for part in named_parts(context.message) if part.role == "branch" and part.keys)
    part, frame = next(parts, None), context.frame
    if part is None or frame is None:
        return None
    field = part.keys[-1]
    dtypes = [m[1] for said in (part.said, part.other) if (m := _SCALAR.fullmatch(said))]
    kinds = set(map(_number_kind, dtypes))
    found = [
        (module, number)
        for module in context.modules.values()
        for number in _given_numbers(module, context, field)
    ]
    if len(found) != 1 or kinds != {"float", "int"}:
        return None
    home, number = found[0]
    text = _other(ast.literal_eval(number))
    if not text:
        return None
    facts = {
        "name": field,
        "argument": text,
        "condition": home.text(number),
        "detail": " and ".join(dtypes),
    }
    statement = home.statement(number)
    return FieldNumber(
        home.location(home.header(statement)) if statement is not None else None,
        facts,
        "field",
        context=context,
        home=home,
        number=number,
        text=text,
    )


def _number_kind(dtype: str) -> str:
    return next((kind for kind in ("float", "int") if kind in dtype), "")


def _other(value: object) -> str:
    """Write a whole float as an integer, and an integer as a float; empty for other numbers."""
    if type(value) is float and value == int(value):
        return str(int(value))
    return f"{value}.0" if type(value) is int else ""


def _given_numbers(module: Module, context: FailureContext, field: str) -> list[ast.expr]:
    """List the numbers, written out, that constructors of the learner's classes get for a field."""
    found = []
    for call in module.nodes:
        name = getattr(call.func, "id", "") if isinstance(call, ast.Call) else ""
        fields = _class_fields(context, name) if name else []
        if isinstance(call, ast.Call) and field in fields:
            given = argument(call, fields.index(field), field)
            found += [given] if given is not None and is_number(given) else []
    return found


def _class_fields(context: FailureContext, name: str) -> list[str]:
    """List the fields of a class of the learner's, in their order."""
    found = context.class_named(name)
    return declared_fields(found[1]) if found is not None else []


def other_number(found: FieldNumber) -> Drafts:
    """Write the number in the dtype of the other branch."""
    yield Draft(found.home).certain().replace(found.number, found.text)
