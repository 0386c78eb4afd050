"""Matches and fixes a list or a tuple that is indexed like an array with several axes."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame

_INDEXED = re.compile(r"^(tuple|list) indices must be integers or slices, not tuple")


class Indexed(AtFrame, frozen=True, kw_only=True):
    """A subscript of a container; `part` is the place of the one item that is meant, if known."""

    node: ast.Subscript
    kind: str
    part: str


def container_indexed(context: FailureContext) -> Indexed | None:
    """A list or a tuple is indexed with several indices, which only an array takes."""
    frame, node, said = context.frame, context.node, _INDEXED.match(context.message)
    if frame is None or said is None or not isinstance(node, ast.Subscript):
        return None
    if not isinstance(node.slice, ast.Tuple):
        return None
    name, fact = frame.module.text(node.value), frame.fact(node.value)
    count = fact.detail if fact is not None and fact.kind == said[1] else ""
    owner = frame.fact(node.value.value) if isinstance(node.value, ast.Attribute) else None
    is_solution = owner is not None and owner.detail.endswith("diffrax._solution.Solution")
    part = _part(node.slice) if is_solution else ""
    facts = {
        "name": name,
        "container": said[1],
        "condition": f"{count} parts" if count else "parts",
        "argument": f"{name}[{part or '0'}]",
    }
    form = "solution" if is_solution else "indexed"
    return Indexed(None, facts, form, context=context, node=node, kind=said[1], part=part)


def _part(index: ast.Tuple) -> str:
    """Return the index of the part in `ys[:, 1]`; empty where the first is not a whole axis."""
    match index.elts:
        case [ast.Slice(lower=None, upper=None, step=None), ast.Constant(value=int(part))]:
            return str(part)
    return ""


def index_part(found: Indexed) -> Drafts:
    """Take the part of a solution's state, or make an array of a list first."""
    draft = Draft(found.module).certain()
    if found.part:
        yield draft.replace(found.node, found.facts["argument"])
    elif found.kind == "list":
        yield draft.wrap(found.node.value, f"{draft.name('jax.numpy.asarray')}(", ")")
