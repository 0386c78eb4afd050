"""Matches and fixes a named tuple of results where one of its fields, a dict, is meant."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.source import Location, Module, path_of
from jaxtutor.core.diagnosis.reading.calls import passed_arguments
from jaxtutor.core.diagnosis.reading.names import last_part


class FieldMeant(AtFrame, frozen=True, kw_only=True):
    """A named tuple, `whole`, in the place of its field `name`, in the file `home`.

    It is the call that returned the tuple, or, if that is not known, the value that is read.
    """

    home: Module
    whole: ast.expr
    fields: tuple[str, ...]


def field_meant(context: FailureContext) -> FieldMeant | None:
    """A result with several fields is read like the dict that one of them holds."""
    frame, node = context.frame, context.node
    fields = tuple(f for f in context.failure.holders if f.startswith("."))
    if frame is None or not fields or "tuple indices" not in context.message:
        return None
    read = node.value if isinstance(node, ast.Subscript) else _only_tuple(frame, node)
    path = path_of(read)
    if read is None or path is None:
        return None
    fact = frame.fact(read)
    made = list(made_by(context, path)) if isinstance(node, ast.Subscript) else []
    home, whole = made[0] if len(made) == 1 else (frame.module, read)
    kind = last_part(fact.bases[0]) if fact is not None and fact.bases else "tuple"
    facts = {
        "name": path,
        "container": kind,
        "argument": fields[0][1:],
        "detail": f"{' '.join(home.text(whole).split())}{fields[0]}",
    }
    place: Location | None = None
    if whole is not read:
        statement = home.statement(whole)
        place = home.location(statement if statement is not None else whole)
    return FieldMeant(place, facts, context=context, home=home, whole=whole, fields=fields)


def _only_tuple(frame: FrameContext, node: ast.AST | None) -> ast.expr | None:
    """Return the only tuple among the arguments of a call."""
    given = passed_arguments(node) if isinstance(node, ast.Call) else []
    found = [a for a in given if frame.kind(a) == "tuple"]
    return found[0] if len(found) == 1 else None


def made_by(context: FailureContext, path: str) -> list[tuple[Module, ast.expr]]:
    """List the calls whose result a name or an attribute gets."""
    return [
        (module, node.value)
        for module in context.modules.values()
        for node in module.nodes
        if isinstance(node, ast.Assign) and path in map(path_of, node.targets)
        if isinstance(node.value, ast.Call)
    ]


def take_field(found: FieldMeant) -> Drafts:
    """Read the field, where the result is made if it has one name only."""
    for field in found.fields:
        draft = Draft(found.home).after(found.whole, field)
        yield draft.certain() if len(found.fields) == 1 else draft
