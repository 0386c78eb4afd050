"""Matches the causes that come from arrays being immutable, and from masks that are traced."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.updates import at_update, without_at
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame, Finding, at_frame, finding
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.names import last_part


class ArrayStore(AtFrame, frozen=True, kw_only=True):
    """An assignment into an array: `target` is the subscript assigned to."""

    target: ast.Subscript


def _store_target(context: FailureContext) -> ArrayStore | None:
    """Return the subscript that is assigned to at the fault."""
    node, frame = context.node, context.frame
    target = node.target if isinstance(node, ast.AugAssign) else node
    if frame is None or not isinstance(target, ast.Subscript):
        return None
    name = frame.module.text(without_at(target.value))
    facts = {"name": name, "condition": frame.module.text(target.slice)}
    return ArrayStore(None, facts, context=context, frame=frame, target=target)


def _refused(context: FailureContext) -> ArrayStore | None:
    """Return the subscript that was assigned to, if the array refused it."""
    said = ("immutable", "does not support item assignment")
    return _store_target(context) if any(words in context.message for words in said) else None


def masked_assignment(context: FailureContext) -> ArrayStore | None:
    """An array is assigned to in place, where a mask is true."""
    found = _refused(context) or _update_at_mask(context)
    return found if found is not None and _is_mask(found.frame, found.target.slice) else None


def _update_at_mask(context: FailureContext) -> ArrayStore | None:
    """Return the subscript of `x[mask] += v`, which fails where it reads."""
    is_store = isinstance(context.node, ast.Subscript) and isinstance(context.node.ctx, ast.Store)
    return _store_target(context) if is_store and "boolean ind" in context.message else None


def _is_mask(frame: FrameContext, index: ast.expr) -> bool:
    if isinstance(index, ast.Tuple):
        return any(_is_mask(frame, item) for item in index.elts)
    if isinstance(index, ast.Compare):
        return True
    if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.Invert):
        return True
    if isinstance(index, ast.BinOp) and isinstance(index.op, ast.BitAnd | ast.BitOr | ast.BitXor):
        return _is_mask(frame, index.left) or _is_mask(frame, index.right)
    if isinstance(index, ast.Call):
        return last_part(frame.callee(index)).startswith(("is", "logical_"))
    fact = frame.fact(index)
    return fact is not None and fact.detail.startswith("bool[") and fact.detail != "bool[]"


def inplace_assignment(context: FailureContext) -> ArrayStore | None:
    """An array is assigned to in place."""
    return _refused(context) or _store_at_traced(context)


def _store_at_traced(context: FailureContext) -> ArrayStore | None:
    """Return the subscript of `x.at[i] = v`, which converts a traced i before it is refused."""
    found = _store_target(context)
    if found is None or not isinstance(found.target.ctx, ast.Store):
        return None
    base = without_at(found.target.value)
    is_array = base is not found.target.value and found.frame.kind(base) in ("tracer", "array")
    return found if is_array else None


class Bracketed(AtFrame, frozen=True, kw_only=True):
    """A subscript whose object is a function; `is_call` if nothing but a call can be meant."""

    subscript: ast.Subscript
    is_call: bool


def brackets_for_call(context: FailureContext) -> Bracketed | None:
    """A function has its argument in square brackets."""
    node, frame = context.node, context.frame
    if frame is None or not isinstance(node, ast.Subscript) or isinstance(node.slice, ast.Slice):
        return None
    name, index = frame.module.text(node.value), frame.module.text(node.slice)
    is_update = at_update(ast.Call(node.value, [], [])) is not None
    is_call = is_update or (frame.dotted(node.value) or "").startswith("jax.")
    facts = {"name": name, "condition": index, "argument": f"{name}({index})"}
    form = "" if is_call else "result"
    return Bracketed(
        None, facts, form, context=context, frame=frame, subscript=node, is_call=is_call
    )


def boolean_mask(context: FailureContext) -> AtFrame | None:
    """An array is indexed with a traced mask."""
    is_stored = isinstance(context.node, ast.Subscript) and isinstance(context.node.ctx, ast.Store)
    return None if is_stored else at_frame(context)


_UPDATES = frozenset(
    {"set", "add", "subtract", "multiply", "mul", "divide", "power", "min", "max", "apply"}
)


def dropped_update(module: Module, node: ast.Expr) -> Iterator[Finding]:
    """`x.at[i].set(v)` as a statement of its own does nothing."""
    update = at_update(node.value)
    if update is not None and update.method in _UPDATES:
        facts = {"name": module.text(update.array)}
        yield finding(module, node.value, facts)
