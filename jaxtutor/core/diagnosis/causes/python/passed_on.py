"""Matches and fixes what a library passes on to the learner's function, from a call of theirs."""

from __future__ import annotations

import ast
import difflib
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.source import FunctionNode
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters
from jaxtutor.core.diagnosis.reading.names import last_part

_UNEXPECTED = re.compile(r"^([\w.<>]+)\(\) got an unexpected keyword argument '(\w+)'")


class KeywordPassedOn(AtCall, frozen=True, kw_only=True):
    """A keyword that a library passes on, and the names that the learner's function has for it."""

    keyword: ast.keyword
    others: tuple[str, ...]


def keyword_passed_on(context: FailureContext) -> KeywordPassedOn | None:
    """A library passes a keyword of its call on to a function that lacks the parameter."""
    said, call = _UNEXPECTED.search(context.message), at_call(context)
    if said is None or call is None or not context.library:
        return None
    function = _only_function(context, last_part(said[1]))
    frame, node = _passing(context, call, said[2])
    given = {k.arg: k for k in node.keywords if k.arg is not None}
    if function is None or said[2] not in given:
        return None
    free = [a.arg for a in parameters(function) if a.arg not in {*given, "self"}]
    near = difflib.get_close_matches(said[2], free, len(free) or 1, 0.0)
    listed = ", ".join(parameter_names(function))
    facts = {
        "name": call.module.text(call.node.func),
        "argument": said[2],
        "function": getattr(function, "name", "the lambda"),
        "condition": listed,
    }
    keyword = given[said[2]]
    return KeywordPassedOn(
        frame.module.location(keyword),
        facts,
        "passed_on",
        context=context,
        outer_frame=frame,
        node=node,
        keyword=keyword,
        others=tuple(near),
    )


def _passing(context: FailureContext, call: AtCall, name: str) -> tuple[FrameContext, ast.Call]:
    """Return the call that passes a keyword: that of the library, or one whose `**` it spreads."""
    frame, node = call.frame, call.node
    for outer in reversed(context.frames[:-1]):
        is_spread = any(k.arg is None for k in node.keywords)
        if not is_spread or not isinstance(outer.node, ast.Call):
            break
        frame, node = outer, outer.node
        if any(k.arg == name for k in node.keywords):
            return frame, node
    return call.frame, call.node


def _only_function(context: FailureContext, name: str) -> FunctionNode | None:
    found = [f for m in context.modules.values() if (f := m.function_named(name)) is not None]
    return found[0] if len(found) == 1 else None


def other_keyword(found: KeywordPassedOn) -> Drafts:
    """Write a name that the function has, the most alike first."""
    text = found.module.text(found.keyword.value)
    for name in found.others:
        yield Draft(found.module).replace(found.keyword, f"{name}={text}")
