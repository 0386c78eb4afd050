"""Matches assignments to objects that do not change: modules, dataclasses, dicts of Flax."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.reading.library_calls import is_module_of


class FrozenAssignment(AtFrame, frozen=True, kw_only=True):
    """An assignment to an attribute of an object that does not change."""

    target: ast.Attribute | ast.Subscript  # an item, of a `FrozenDict`


def frozen_object(context: FailureContext) -> FrozenAssignment | None:
    """An attribute of a frozen object is assigned: a module, or a dataclass of flax.struct."""
    frame = context.frame
    target = frame.node if frame is not None else None
    if frame is not None and isinstance(target, ast.Subscript):
        return _frozen_dict(context, frame, target)
    if frame is None or not isinstance(target, ast.Attribute):
        return None
    if "static attribute" in context.message:
        return None  # NNX refuses the value, and not the assignment
    if context.error == "AttributeError" and isinstance(target.ctx, ast.Store):
        return _record(context, frame, target)
    if context.error == "AttributeError":
        return _frozen_list(context, frame, target)
    form = _frozen_form(context, frame, target.value)
    facts = {"name": frame.module.text(target.value), "argument": target.attr}
    return FrozenAssignment(None, facts, form, context=context, frame=frame, target=target)


def _frozen_dict(
    context: FailureContext, frame: FrameContext, target: ast.Subscript
) -> FrozenAssignment | None:
    """Return the assignment to an item of a `FrozenDict`, or of a dict inside it."""
    owner: ast.expr = target
    while isinstance(owner, ast.Subscript):
        owner = owner.value
    if "FrozenDict is immutable" not in context.message:
        return None
    facts = {"name": frame.module.text(owner)}
    return FrozenAssignment(None, facts, "dict", context=context, frame=frame, target=target)


def _record(
    context: FailureContext, frame: FrameContext, target: ast.Attribute
) -> FrozenAssignment | None:
    """Return the assignment to a field of a named tuple."""
    if frame.kind(target.value) != "tuple":
        return None
    facts = {"name": frame.module.text(target.value), "argument": target.attr}
    return FrozenAssignment(None, facts, "record", context=context, frame=frame, target=target)


def _frozen_list(
    context: FailureContext, frame: FrameContext, method: ast.Attribute
) -> FrozenAssignment | None:
    """Return the list that linen turned into a tuple when it was assigned to a module."""
    holder = method.value
    if not isinstance(holder, ast.Attribute) or not is_module_of("linen", frame, holder.value):
        return None
    facts = {"name": frame.module.text(holder), "argument": holder.attr}
    return FrozenAssignment(None, facts, "list", context=context, frame=frame, target=holder)


def _frozen_form(context: FailureContext, frame: FrameContext, owner: ast.expr) -> str:
    if is_module_of("equinox", frame, owner):
        return "equinox"
    if context.error == "SetAttributeInModuleSetupError":
        return "field"
    if getattr(frame.function, "name", "") == "__post_init__":
        return "post_init"
    if context.error == "SetAttributeFrozenModuleError" or is_module_of("linen", frame, owner):
        return "linen"
    return ""
