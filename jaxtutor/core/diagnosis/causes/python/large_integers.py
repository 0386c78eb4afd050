"""Finds the Python integer that does not fit into the dtype that JAX gives it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.values import LARGEST, constant_integer

_MESSAGE = re.compile(
    r"Python int (-?\d+) too large to convert to (\w+)"
    r"|Python integer (-?\d+) out of bounds for (\w+)"
    r"|An overflow was encountered while parsing an argument.* with value (-?\d+)"
)
_LARGEST = {LARGEST: "max", -LARGEST - 1: "min"}


class LargeInteger(AtFrame, frozen=True, kw_only=True):
    """An integer that does not fit, with the only expression `made` that stands for it.

    `limit` is `max` or `min` for the largest or smallest number of 64 bits.
    """

    source: Module
    made: ast.expr | None
    limit: str = ""


def large_integer(context: FailureContext) -> LargeInteger | None:
    """An integer is larger than what the dtype holds."""
    said, frame = _MESSAGE.search(context.message), context.frame
    if frame is None or (said is None and not context.failure.jax_frames):
        return None
    if said is None:  # not even 64 bits hold it
        facts = {"name": frame.module.text(frame.node)} if frame.node is not None else {}
        return LargeInteger(None, facts, "wide", context=context, source=frame.module, made=None)
    number = int(said[1] or said[3] or said[5])
    facts = {"detail": str(number), "aval": said[2] or said[4] or "int32"}
    if frame.node is not None:
        facts["name"] = frame.module.text(frame.node)
    source, made = frame.module, _only(_integers(frame.module, frame.node, number))
    for module in context.modules.values():
        if made is None:
            source, made = module, _only(_integers(module, module.tree, number))
    limit = _LARGEST.get(number, "")
    place = source.location(made) if made is not None else None
    form = "" if made is None else "largest" if limit else "number"
    return LargeInteger(place, facts, form, context=context, source=source, made=made, limit=limit)


def _integers(module: Module, node: ast.AST | None, number: int) -> Iterator[ast.expr]:
    """Yield the outermost expressions in a node that stand for a number."""
    if isinstance(node, ast.expr) and constant_integer(module, node) == number:
        yield node
        return
    for child in ast.iter_child_nodes(node) if node is not None else ():
        yield from _integers(module, child, number)


def _only(nodes: Iterator[ast.expr]) -> ast.expr | None:
    found = list(nodes)
    return found[0] if len(found) == 1 else None


def use_limit(found: LargeInteger) -> Drafts:
    """Write the largest number of 32 bits for the largest one of 64 bits."""
    if found.made is not None and found.limit and found.facts["aval"] == "int32":
        draft = Draft(found.source)
        limits, dtype = draft.name("jax.numpy.iinfo"), draft.name("jax.numpy.int32")
        yield draft.replace(found.made, f"{limits}({dtype}).{found.limit}").certain()


RULES = (Rule("integer-beyond-dtype", raised(large_integer), use_limit),)
