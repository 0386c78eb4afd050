"""Matches fields of a dataclass without a default that come after fields with one."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame, at_frame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import path_of

_SAID = re.compile(r"non-default argument '(\w+)' follows default argument(?: '(\w+)')?")


def field_after_default(context: FailureContext) -> AtFrame | None:
    """A field without a default follows one with a default, often of the base class."""
    said, found = _SAID.search(context.message), at_frame(context)
    if said is None or found is None:
        return None
    fields = [
        (node, field)
        for node in found.module.nodes
        if isinstance(node, ast.ClassDef)
        for field in node.body
        if isinstance(field, ast.AnnAssign) and path_of(field.target) == said[1]
        if field.value is None
    ]
    if len(fields) != 1:
        return None
    owner, field = fields[0]
    own = [path_of(n.target) for n in owner.body if isinstance(n, ast.AnnAssign)]
    text = found.module.text(field)
    facts = {"name": said[1], "container": said[2] or "", "argument": f"{text} = …"}
    form = "own" if said[2] in own else "" if said[2] else "unknown"
    place = found.module.location(field)
    return AtFrame(place, facts, form, context=context)


RULES = (Rule("field-after-default", raised(field_after_default)),)
