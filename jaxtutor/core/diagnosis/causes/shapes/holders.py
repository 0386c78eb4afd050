"""Follows a tuple that a function got as an argument back to the name that its callers gave it."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.reading.calls import argument_for
from jaxtutor.core.diagnosis.reading.functions import parameter_names


def first_holder(
    context: FailureContext, frame: FrameContext, name: ast.Name
) -> tuple[FrameContext, ast.Name]:
    """Return the frame, and the name in it, that passed a tuple on; the given ones if none did."""
    while (passed := _same_value_in_caller(context, frame, name)) is not None:
        frame, name = passed
    return frame, name


def _same_value_in_caller(
    context: FailureContext, frame: FrameContext, name: ast.Name
) -> tuple[FrameContext, ast.Name] | None:
    position = context.frames.index(frame)
    caller = context.frames[position - 1] if position else None
    call, function = (caller.node if caller is not None else None), frame.function
    if caller is None or function is None or not isinstance(call, ast.Call):
        return None
    is_parameter = name.id in set(parameter_names(function))
    if not is_parameter or frame.module.assignments(name.id, function):
        return None
    given = argument_for(function, call, name.id)
    if not isinstance(given, ast.Name):
        return None
    here, there = frame.fact(name), caller.fact(given)
    is_same = here is not None and there is not None
    is_same = is_same and (here.kind, here.detail) == (there.kind, there.detail)  # type: ignore[union-attr]
    return (caller, given) if is_same else None
