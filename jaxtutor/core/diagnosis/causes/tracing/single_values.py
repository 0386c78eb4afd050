"""Matches and fixes arrays of several elements where one Python number is needed."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised

_TYPE = re.compile(r"\w+\[([\d,]*)\]$")
_ARRAYS = ("array", "ndarray")


class ManyForOne(AtFrame, frozen=True, kw_only=True):
    """An array that is formatted or converted as if it were one number."""

    array: ast.expr
    is_single: bool


def many_for_one(context: FailureContext) -> ManyForOne | None:
    """An array with axes is formatted, or converted to a Python number."""
    frame, node = context.frame, context.node
    if frame is None or node is None or context.failure.tracer is not None:
        return None
    found = [(part, sizes) for part in ast.walk(node) if (sizes := _sizes_of_name(frame, part))]
    if len({frame.module.text(part) for part, _ in found}) != 1:
        return None
    array, sizes = found[0]
    assert isinstance(array, ast.expr)
    name = frame.module.text(array)
    fact = frame.fact(array)
    is_single = set(sizes) == {"1"}
    facts = {
        "name": name,
        "aval": fact.detail if fact is not None else "",
        "argument": f"{name}.item()" if is_single else f"{name}.mean()",
    }
    form = "single" if is_single else ""
    return ManyForOne(None, facts, form, context=context, array=array, is_single=is_single)


def _sizes_of_name(frame: FrameContext, node: ast.AST) -> list[str]:
    """Return the sizes of the axes of a name; empty for other values, and for numbers."""
    fact = frame.fact(node) if isinstance(node, ast.Name | ast.Attribute) else None
    said = _TYPE.search(fact.detail) if fact is not None and fact.kind in _ARRAYS else None
    return said[1].split(",") if said is not None and said[1] else []


def take_single(found: ManyForOne) -> Drafts:
    """Take the only element of an array of one."""
    if found.is_single:
        yield Draft(found.module).certain().after(found.array, ".item()")


RULES = (Rule("array-as-number", raised(many_for_one), take_single),)
