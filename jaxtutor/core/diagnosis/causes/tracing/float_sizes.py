"""Matches and fixes sizes and counts that are Python floats, such as `n / 2` or `16.0`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised

_SAYS_FLOAT = re.compile(
    r"'float' object cannot be interpreted as an integer|integer type, got .*\d\.\d"
    r"|must be integers?.*\d\.\d|slice indices must be integers"
)
_WRITTEN = re.compile(r"integer type, got .*\d\.\d")
"""A message that shows the float: what was traced beside it is not at fault."""


class FloatSize(AtFrame, frozen=True, kw_only=True):
    """A float where a size belongs: a division, or a name; `others` are divisions beside it."""

    node: ast.expr
    others: tuple[ast.expr, ...] = ()


def float_size(context: FailureContext) -> FloatSize | None:
    """A size, a count or a bound is a Python float."""
    frame, node = context.frame, context.node
    is_written = _WRITTEN.search(context.message) is not None
    if frame is None or ("Trace" in context.message and not is_written):
        return None
    if not isinstance(node, ast.Call | ast.Subscript):
        return None
    if _SAYS_FLOAT.search(context.message) is None:
        return None
    found = list(_floats(context, frame, node))
    texts = {frame.module.text(part) for part in found}
    if len(texts) != 1 and not (found and all(isinstance(part, ast.BinOp) for part in found)):
        return None
    size, others = found[0], tuple(found[1:])
    text = frame.module.text(size)
    is_division = isinstance(size, ast.BinOp)
    meant = _whole_number_text(frame, size)
    facts = {"name": text, "argument": meant}
    form = "division" if is_division else ""
    return FloatSize(frame.place(size), facts, form, context=context, node=size, others=others)


def _floats(context: FailureContext, frame: FrameContext, node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions inside a node that are floats, the outermost of each."""
    passed = {fact.name: fact.detail for fact in context.failure.passed if fact.kind == "number"}
    for part in ast.iter_child_nodes(node):
        if (
            (isinstance(part, ast.BinOp) and _divides(frame, part))
            or (isinstance(part, ast.Name | ast.Attribute) and _is_float(frame, part))
            or (isinstance(part, ast.Subscript) and passed.get(frame.module.text(part)) == "float")
        ):
            yield part
        elif isinstance(part, ast.expr | ast.keyword) and not isinstance(
            part, ast.Call | ast.Lambda
        ):
            yield from _floats(context, frame, part)


def _is_float(frame: FrameContext, node: ast.AST) -> bool:
    fact = frame.fact(node)
    return fact is not None and fact.kind == "number" and fact.detail in ("float", "numpy.float64")


def _divides(frame: FrameContext, node: ast.BinOp) -> bool:
    """Return whether an operation divides two whole numbers."""
    sides = (node.left, node.right)
    has_float = any(_is_float(frame, part) for side in sides for part in ast.walk(side))
    return isinstance(node.op, ast.Div) and not has_float


def _whole_number_text(frame: FrameContext, size: ast.expr) -> str:
    text = frame.module.text
    if isinstance(size, ast.BinOp):
        return f"{text(size.left)} // {text(size.right)}"
    return f"int({text(size)})"


def whole_size(found: FloatSize) -> Drafts:
    """Divide without a remainder, or convert the size to a whole number, which may round it."""
    draft = Draft(found.module)
    if isinstance(found.node, ast.BinOp):
        draft.certain()
    for size in (found.node, *found.others):
        draft.replace(size, _whole_number_text(found.frame, size))
    yield draft


RULES = (Rule("float-as-size", raised(float_size), whole_size),)
