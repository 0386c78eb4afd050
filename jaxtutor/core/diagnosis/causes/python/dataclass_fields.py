"""Matches and fixes fields of dataclasses whose default could be changed for all objects."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import tuple_text
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.names import last_part

_SAID = re.compile(r"mutable default <class '([\w.]+)'> for field (\w+)")


class MutableDefault(AtFrame, frozen=True, kw_only=True):
    """A field whose default is a list, a dict or an array."""

    value: ast.expr
    module_of: Module


def mutable_default(context: FailureContext) -> MutableDefault | None:
    """A field of a dataclass, as modules of Flax and Equinox are, has a default that can change."""
    said, frame = _SAID.search(context.message), context.frame
    if said is None or frame is None:
        return None
    found = [
        (module, field.value)
        for module in context.modules.values()
        for node in module.nodes
        if isinstance(node, ast.ClassDef)
        for field in node.body
        if isinstance(field, ast.AnnAssign) and getattr(field.target, "id", "") == said[2]
        if field.value is not None and not isinstance(field.value, ast.Constant)
    ]
    if len(found) != 1:
        return None
    module, value = found[0]
    facts = {"name": said[2], "container": last_part(said[1]), "detail": ""}
    facts["detail"] = (
        _as_tuple(module, value) or f"field(default_factory=lambda: {_text(found[0])})"
    )
    place = module.location(value)
    form = "" if _as_tuple(module, value) else "factory"
    return MutableDefault(place, facts, form, context=context, value=value, module_of=module)


def _text(found: tuple[Module, ast.expr]) -> str:
    return found[0].text(found[1])


def _as_tuple(module: Module, value: ast.expr) -> str:
    """Write a list as a tuple; empty for another value."""
    if not isinstance(value, ast.List):
        return ""
    return tuple_text([module.text(e) for e in value.elts]) if value.elts else "()"


def unchangeable_default(found: MutableDefault) -> Drafts:
    """Write a tuple for a list, and a function that makes the default for another value."""
    draft, module = Draft(found.module_of).certain(), found.module_of
    text = _as_tuple(module, found.value)
    if not text:
        field = draft.name("dataclasses.field")
        text = f"{field}(default_factory=lambda: {module.text(found.value)})"
    yield draft.replace(found.value, text)


RULES = (Rule("mutable-field-default", raised(mutable_default), unchangeable_default),)
