"""Matches and fixes scans and maps over a Python list of arrays."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import path_of
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import parameters


class ScannedList(AtFrame, frozen=True, kw_only=True):
    """A scan or map over a list: `given` is what it goes over."""

    given: ast.expr


def scan_over_list(context: FailureContext) -> ScannedList | None:
    """A scan is given a list or tuple of arrays to go over."""
    for frame in reversed(context.frames):
        node, path = frame.node, frame.callee(frame.node)
        if isinstance(node, ast.Call) and path in ("jax.lax.scan", "jax.lax.map"):
            xs = argument(node, 2 if path == "jax.lax.scan" else 1, "xs")
            kind = frame.kind(xs) or ("list" if _makes_list(xs) else None)
            is_about = _is_about_list(context) or _reads_items(context, path)
            if kind != "list" or not (is_about or frame is context.frame):
                return None
            if xs is None or "carry input and carry output" in context.message:
                return None
            text = {"name": frame.module.text(xs)}
            return ScannedList(
                frame.place(node), text, context=context, outer_frame=frame, given=xs
            )
    return None


def _makes_list(node: ast.expr | None) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Add):
        return _makes_list(node.left) or _makes_list(node.right)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in ("list", "sorted")
    return isinstance(node, ast.List | ast.ListComp)


def _is_about_list(context: FailureContext) -> bool:
    words = (
        "'list'",
        "'tuple'",
        "requires ndarray or scalar arguments",
        "leading axis sizes",
        "of list",
    )
    return any(word in context.message for word in words) or "unhashable" in context.message


def _reads_items(context: FailureContext, path: str) -> bool:
    """Return whether the body reads an entry of what it takes for an item, or unpacks it."""
    frame = context.frame
    given = parameters(frame.function) if frame is not None else []
    position = 1 if path == "jax.lax.scan" else 0
    if frame is None or len(given) <= position:
        return False
    name, node, statement = given[position].arg, frame.node, frame.statement
    if frame.kind(name) not in ("list", "tuple"):
        return False
    if "indices must be integers" in context.message:
        return isinstance(node, ast.Subscript) and path_of(node.value) == name
    is_unpacked = isinstance(statement, ast.Assign) and path_of(statement.value) == name
    return is_unpacked and "values to unpack" in context.message


def stack_list(found: ScannedList) -> Drafts:
    """Make one array of a list of arrays to scan over, or one tree of a list of trees."""
    module = found.module
    text = module.text(found.given)
    draft = Draft(module)
    yield draft.replace(found.given, f"{draft.name('jax.numpy.stack')}({text})").certain()
    draft = Draft(module)
    stack, tree = draft.name("jax.numpy.stack"), draft.name("jax.tree.map")
    draft.replace(found.given, f"{tree}(lambda *leaves: {stack}(leaves), *{text})")
    yield draft.certain()


RULES = (Rule("scan-over-python-list", raised(scan_over_list), stack_list),)
