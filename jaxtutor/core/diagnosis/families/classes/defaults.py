"""Matches and mends fields of dataclasses whose default is an array, a list or a dict."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.reading import keyword_of
from jaxtutor.core.diagnosis.rewriting.expressions import tuple_text
from jaxtutor.core.diagnosis.rules import AtFrame, Drafts
from jaxtutor.core.diagnosis.source import Module

_FIELD = re.compile(r"mutable default <class '([\w.]+)'> for field (\w+)")
_SHOWN = {"list": "a list", "dict": "a dict", "set": "a set"}
FACTORY = "factory"
"""The form of the page for a default that is not a list of values."""


class MutableDefault(AtFrame, frozen=True, kw_only=True):
    """A field of a class whose default every object of the class would share."""

    module_of: Module
    default: ast.expr


def mutable_default(context: FailureContext) -> MutableDefault | None:
    """A field of a dataclass has a mutable default."""
    said, frame = _FIELD.search(context.message), context.frame
    if said is None or frame is None:
        return None
    found = [(m, d) for m in context.modules.values() for d in _defaults(m, said[2])]
    here = [(m, d) for m, d in found if m is frame.module] or found
    if len(here) != 1:
        return None
    module, default = here[0]
    kind = said[1].rpartition(".")[2]
    facts = {
        "name": said[2],
        "detail": _SHOWN.get(kind, "an array" if "rray" in kind else f"a {kind}"),
        "argument": module.text(default),
    }
    as_tuple = _tuple_text(module, default)
    facts["container"] = as_tuple
    place, form = module.location(default), "" if as_tuple else FACTORY
    return MutableDefault(
        place, facts, form, context=context, frame=frame, module_of=module, default=default
    )


def _defaults(module: Module, field: str) -> Iterator[ast.expr]:
    """List the defaults that classes of a file give to a field of a name."""
    for node in ast.walk(module.tree):
        is_field = isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == field
        is_of_class = isinstance(module.parents.get(node), ast.ClassDef)
        if isinstance(node, ast.AnnAssign) and is_field and is_of_class and node.value is not None:
            yield node.value


def _tuple_text(module: Module, default: ast.expr) -> str:
    """Return a list as the text of a tuple; empty for another default."""
    if not isinstance(default, ast.List):
        return ""
    return tuple_text([module.text(item) for item in default.elts]) if default.elts else "()"


def unchangeable_default(found: MutableDefault) -> Drafts:
    """Write a tuple for a list; make others by a function, also those in a call of `field`."""
    default, module = found.default, found.module_of
    draft = Draft(module).certain()
    if text := _tuple_text(module, default):
        yield draft.replace(default, text)
        return
    given = keyword_of(default, "default") if isinstance(default, ast.Call) else None
    if given is not None:
        yield draft.replace(given, f"default_factory=lambda: {module.text(given.value)}")
        return
    field = draft.name("dataclasses.field")
    yield draft.replace(default, f"{field}(default_factory=lambda: {module.text(default)})")
