"""Matches and mends fields of dataclasses whose default is an array, a list or a dict."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.reading import keyword_of
from jaxtutor.core.diagnosis.rules import AtFrame, Drafts
from jaxtutor.core.diagnosis.source import Module

_FIELD = re.compile(r"mutable default <class '([\w.]+)'> for field (\w+)")
_SHOWN = {"list": "a list", "dict": "a dict", "set": "a set"}


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
    place = module.location(default)
    return MutableDefault(
        place, facts, context=context, frame=frame, module_of=module, default=default
    )


def _defaults(module: Module, field: str) -> Iterator[ast.expr]:
    """List the defaults that classes of a file give to a field of a name."""
    for node in ast.walk(module.tree):
        is_field = isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == field
        is_of_class = isinstance(module.parents.get(node), ast.ClassDef)
        if isinstance(node, ast.AnnAssign) and is_field and is_of_class and node.value is not None:
            yield node.value


def make_each_time(found: MutableDefault) -> Drafts:
    """Make the default by a function, also where it stands in a call of `field`."""
    default, module = found.default, found.module_of
    draft = Draft(module).certain()
    given = keyword_of(default, "default") if isinstance(default, ast.Call) else None
    if given is not None:
        yield draft.replace(given, f"default_factory=lambda: {module.text(given.value)}")
        return
    field = draft.name("dataclasses.field")
    yield draft.replace(default, f"{field}(default_factory=lambda: {module.text(default)})")
