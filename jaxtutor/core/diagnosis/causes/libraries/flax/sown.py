"""Matches and fixes values of `sow` that are used without taking them out of their tuple."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import names_in
from jaxtutor.core.diagnosis.reading.calls import method_of
from jaxtutor.core.diagnosis.reading.names import bound_value

_SOWS = ("sow", "perturb")
_TUPLE = re.compile(r"'tuple'|class 'tuple'")


class SownTuple(AtFrame, frozen=True, kw_only=True):
    """An expression that reads a value of `sow`; `is_single` says that one value was sown."""

    read: ast.expr
    is_single: bool


def sown_tuple(context: FailureContext) -> SownTuple | None:
    """A collection that `sow` filled is read, and its tuple is used as the value itself."""
    frame = context.frame
    if frame is None or frame.node is None or _TUPLE.search(context.message) is None:
        return None
    collections = _collections(context)
    for node in ast.walk(frame.node):
        if not isinstance(node, ast.Name | ast.Subscript):
            continue
        made = bound_value(frame.module, node)
        is_tuple = isinstance(node, ast.Subscript) or frame.kind(node) == "tuple"
        if (
            is_tuple
            and isinstance(made, ast.Subscript)
            and _leads_to_value(frame, made, collections)
        ):
            fact, text = frame.fact(node), frame.module.text(made)
            is_single = fact.detail == "1" if fact is not None else _has_one_holder(context)
            facts = {"name": text, "argument": f"{text}{'[0]' if is_single else '[-1]'}"}
            return SownTuple(
                frame.place(made),
                facts,
                "" if is_single else "several",
                context=context,
                read=made,
                is_single=is_single,
            )
    return None


def _has_one_holder(context: FailureContext) -> bool:
    """Return whether one item of the tuple has the attribute that was looked for."""
    return len(context.failure.holders) == 1


def _collections(context: FailureContext) -> set[str]:
    """Return the names of the collections into which the program sows."""
    found = {"intermediates"}
    for module in context.modules.values():
        for node in module.calls:
            if method_of(node) in _SOWS:
                found |= {str(a.value) for a in node.args[:1] if isinstance(a, ast.Constant)}
    return found


def _leads_to_value(frame: FrameContext, node: ast.Subscript, collections: set[str]) -> bool:
    """Return whether keys lead from a collection to a value, directly or from a name for it."""
    inner: ast.expr = node
    is_number = isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int)
    if is_number:
        return False
    while isinstance(inner, ast.Subscript):
        if getattr(inner.slice, "value", None) in collections:
            return inner is not node
        inner = inner.value
    made = bound_value(frame.module, inner)
    keys = {n.value for n in ast.walk(made) if isinstance(n, ast.Constant)}
    return made is not inner and bool(keys & collections) and not names_in(made) & names_in(inner)


def first_value(found: SownTuple) -> Drafts:
    """Take the only value that was sown, else the last one."""
    draft = Draft(found.module)
    yield (
        draft.certain().after(found.read, "[0]")
        if found.is_single
        else draft.after(found.read, "[-1]")
    )


RULES = (Rule("sown-value-in-tuple", raised(sown_tuple), first_value),)
