"""Finds the call that passes a donated value to a function of the learner, which then reads it."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.source import names_in
from jaxtutor.core.diagnosis.reading.calls import calls_in, passed_arguments
from jaxtutor.core.diagnosis.reading.functions import parameter_names

_TYPE = re.compile(r"shape=(\w+\[[\d,]*\])")


def passed_after_donation(context: FailureContext) -> AtFrame | None:
    """Return the innermost call that gives such a function a name of its own that was donated."""
    for frame in reversed(context.frames[:-1]):
        call, statement = frame.node, frame.statement
        if not isinstance(call, ast.Call) or statement is None or not frame.is_own(call.func):
            return None
        own = set(parameter_names(frame.function))
        read = {n for a in passed_arguments(call) for n in names_in(a)} - own
        names = [n for n in read if _may_be_deleted(context, frame, n)]
        names = [n for n in names if _is_given_before(frame, statement, n)]
        if read:
            place = frame.place(call) if len(names) == 1 else None
            facts = {"name": names[0]} if names else {}
            return (
                AtFrame(place, facts, "passed", context=context, outer_frame=frame)
                if place
                else None
            )
    return None


def _may_be_deleted(context: FailureContext, frame: FrameContext, name: str) -> bool:
    """Return whether a name may hold the array of the message: a tree, or one of its type."""
    said, fact = _TYPE.search(context.message), frame.fact(name)
    if fact is None or fact.kind in ("function", "class", "module", "number"):
        return False
    return fact.kind != "array" or said is None or fact.detail.lstrip("~") == said[1]


def _is_given_before(frame: FrameContext, statement: ast.stmt, name: str) -> bool:
    """Return whether a call above a statement was given a name."""
    scope = frame.function or frame.module.tree
    calls = (n for n in calls_in(scope))
    return any(
        call.lineno < statement.lineno and any(name in names_in(a) for a in passed_arguments(call))
        for call in calls
    )
