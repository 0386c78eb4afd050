"""Matches and fixes a single value that a function takes apart, where a call passes it alone."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import is_in_parentheses, keyword_value
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.names import bound_value


class PassedAlone(AtFrame, frozen=True, kw_only=True):
    """A call of a library that passes one value where its function takes apart a tuple."""

    home: Module
    given: ast.expr


def passed_alone(
    context: FailureContext, frame: FrameContext, target: ast.Tuple | ast.List, value: ast.expr
) -> PassedAlone | None:
    """A function that a library calls takes apart a parameter, which is a number or a scalar."""
    names = set(parameter_names(frame.function))
    is_passed = isinstance(value, ast.Name) and value.id in names
    fact = frame.fact(value)
    is_single = fact is not None and (fact.kind == "number" or fact.detail.endswith("[]"))
    position = context.frames.index(frame)
    outer = context.frames[position - 1] if position else None
    call = outer.node if outer is not None else None
    if not is_passed or not is_single or outer is None or not isinstance(call, ast.Call):
        return None
    if not isinstance(value, ast.Name) or outer.is_own(call.func):
        return None
    passed, home = keyword_value(call, value.id), outer.module
    if passed is None or fact is None:
        return None
    bound = bound_value(home, passed)
    given = bound if is_in_parentheses(home, bound) else passed
    text = home.text(given)
    facts = {
        "name": text,
        "function": outer.module.text(call.func),
        "container": frame.module.text(target),
        "detail": "a number" if fact.kind == "number" else "`" + fact.detail.lstrip("~") + "`",
        "argument": f"{value.id}=({text},)",
    }
    form = "alone" if len(target.elts) == 1 else "alone_of_several"
    return PassedAlone(home.location(given), facts, form, context=context, home=home, given=given)


def make_tuple(found: PassedAlone) -> Drafts:
    """Pass a tuple with the one value."""
    if found.form != "alone":
        return
    draft = Draft(found.home).certain()
    if is_in_parentheses(found.home, found.given):
        yield draft.after(found.given, ",")
    else:
        yield draft.wrap(found.given, "(", ",)")
