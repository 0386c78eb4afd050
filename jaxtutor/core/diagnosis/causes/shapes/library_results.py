"""Matches and fixes the tuple that a library's call returned, where one of its items is meant."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.causes.shapes import carried, whole
from jaxtutor.core.diagnosis.causes.shapes.checked import checked_result, take_error
from jaxtutor.core.diagnosis.causes.shapes.holders import first_holder
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.engine.value_origins import value_origin
from jaxtutor.core.diagnosis.reading.calls import calls_in, keyword_of, method_of, passed_arguments
from jaxtutor.core.diagnosis.reading.names import last_part
from jaxtutor.core.diagnosis.reading.values import strings_in


class Whole(AtCall, frozen=True, kw_only=True):
    """A name that holds everything that a call returned; `target` is where it is assigned."""

    target: ast.Name


def result_not_unpacked(context: FailureContext) -> AtFrame | None:
    """A tuple of several results is used as one of them: of the learner's function, or another."""
    return (
        checked_result(context)
        or carried.carried_whole(context)
        or whole.whole_result(context)
        or _nested(context)
        or _of_library(context)
        or _passed_on(context)
    )


class Nested(AtCall, frozen=True, kw_only=True):
    """Names for a pair of which the first part is a tuple: one level of parentheses is missing."""

    target: ast.Tuple


_NO_MAPPING = re.compile(r"argument after \*\* must be a mapping, not \w+")


def _nested(context: FailureContext) -> Nested | None:
    """A call spreads as keywords what a library returned beside the pair that has them."""
    call = at_call(context)
    if call is None or _NO_MAPPING.search(context.message) is None:
        return None
    spread = [k.value for k in call.node.keywords if k.arg is None]
    name = spread[0] if len(spread) == 1 else None
    if not isinstance(name, ast.Name) or call.frame.kind(name) not in ("tuple", "other"):
        return None
    bound = call.module.assignments(name.id, call.frame.function or call.module.tree)
    match [s for s in bound if s.lineno < name.lineno]:
        case [
            *_,
            ast.Assign(targets=[ast.Tuple() as target], value=ast.Call(func=func)) as made,
        ] if _pair_first(call.frame, target, name.id):
            facts = {
                "name": name.id,
                "detail": call.module.text(func),
                "argument": f"({call.module.text(target).strip('()')})",
            }
            return Nested(
                call.frame.place(made),
                facts,
                "nested",
                context=context,
                node=call.node,
                target=target,
            )
    return None


def _pair_first(frame: FrameContext, target: ast.Tuple, name: str) -> bool:
    """Return whether a target takes a tuple first, and a name second."""
    match target.elts:
        case [ast.Name() as first, ast.Name() as second]:
            return second.id == name and frame.kind(first) == "tuple"
    return False


def _of_library(context: FailureContext) -> Whole | None:
    """A function gets the tuple that another call returned, and says that it is a tuple."""
    call = at_call(context)
    if call is None or not context.failure.jax_frames or "tuple" not in context.message:
        return None
    given = passed_arguments(call.node)
    names = [a for a in given if isinstance(a, ast.Name)]
    held = [first_holder(context, call.frame, name) for name in names]
    found = [(f, *n) for f, name in held if (n := _assigned_whole(f, name)) is not None]
    if len(found) != 1:
        return None
    frame, name, assigned = found[0]
    made = assigned.value
    assert isinstance(made, ast.Call)
    changed = keyword_of(made, "mutable") if method_of(made).startswith("apply") else None
    is_record = changed is not None and strings_in(changed.value) == {"intermediates"}
    facts = {
        "name": name,
        "function": call.module.text(call.node.func),
        "detail": frame.module.text(made.func),
    }
    target = assigned.targets[0]
    assert isinstance(target, ast.Name)
    return Whole(
        frame.place(assigned),
        facts,
        "recorded" if is_record else "mutable" if changed is not None else "library",
        context=context,
        outer_frame=frame,
        node=call.node,
        target=target,
    )


def _passed_on(context: FailureContext) -> AtFrame | None:
    """A function gets all results of a call that is among its arguments, and uses them as one."""
    frame, node = context.frame, context.node
    if (
        frame is None
        or not isinstance(node, ast.Call | ast.BinOp)
        or "tuple" not in context.message
    ):
        return None
    parts = [*node.args] if isinstance(node, ast.Call) else [node.left, node.right]
    names = [n for n in parts if isinstance(n, ast.Name) and frame.kind(n) == "tuple"]
    origin = value_origin(context.frames, names[0].id) if len(names) == 1 else None
    if origin is None or origin.is_near or not isinstance(origin.node, ast.Call):
        return None
    func = origin.module.text(origin.node.func)
    last = last_part(func)
    if last in ("tuple", "list", "zip", "map") or last[:1].isupper():  # it makes one container
        return None
    facts = {"name": names[0].id, "function": origin.module.text(origin.node), "detail": func}
    place = origin.module.location(origin.node)
    return AtFrame(place, facts, "passed", context=context)


def _assigned_whole(frame: FrameContext, name: ast.Name) -> tuple[str, ast.Assign] | None:
    """Return the assignment of a tuple that a call returned, or of the items of a list of them."""
    if frame.kind(name) == "tuple":
        return _only_call(frame, name.id, name)
    if frame.kind(name) != "list":
        return None
    appended = [
        n.args[0]
        for n in calls_in(frame.function or frame.module.tree)
        if method_of(n) == "append" and len(n.args) == 1
        if getattr(getattr(n.func, "value", None), "id", "") == name.id
    ]
    item = appended[0] if len(appended) == 1 else None
    is_tuple = isinstance(item, ast.Name) and frame.kind(item) == "tuple"
    return _only_call(frame, item.id, name) if is_tuple and isinstance(item, ast.Name) else None


def _only_call(frame: FrameContext, name: str, where: ast.Name) -> tuple[str, ast.Assign] | None:
    """Return the one assignment to a name above a place, if a call gives the value."""
    bound = frame.module.assignments(name, frame.function or frame.module.tree)
    before = [s for s in bound if s.lineno < where.lineno]
    match before:
        case [ast.Assign(targets=[ast.Name()], value=ast.Call(func=func)) as assigned]:
            is_made = getattr(func, "id", "") in ("tuple", "zip", "sorted")
            return None if is_made else (name, assigned)
    return None


def _take_pair(found: Nested) -> Drafts:
    yield Draft(found.module).replace(found.target, f"{found.facts['argument']}, _")


def _take_first_or_last(found: Whole) -> Drafts:
    """Take the first result of a library, or the last if that fails.

    The output of a model comes first. Statistics belong into the next call, so dropping them would
    be another mistake; what a layer stores to be looked at may be dropped.
    """
    name = found.target.id
    if found.form in ("mutable", "recorded"):
        draft = Draft(found.module).replace(found.target, f"{name}, _")
        yield draft.certain() if found.form == "recorded" else draft
        return
    for text in (f"{name}, _", f"_, {name}"):
        yield Draft(found.module).replace(found.target, text)


RULES = (
    Rule(
        "result-not-unpacked",
        raised(result_not_unpacked),
        by_match(whole.take_apart, carried.take_state, take_error, _take_pair, _take_first_or_last),
    ),
)
