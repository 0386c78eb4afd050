"""Matches and fixes a state of an Equinox model that is used again after an update."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.engine.source import names_in, own_nodes
from jaxtutor.core.diagnosis.reading.calls import passed_arguments
from jaxtutor.core.diagnosis.reading.loops import loop_around

_STATE = "equinox.nn._stateful.State"


class OldState(AtFrame, frozen=True, kw_only=True):
    """A call that passes the state `old` although another call has returned a newer one.

    `taker` is the frame of both calls, `target` the name that holds the newer state, where it is
    assigned, and `again` the old state in the call at fault.
    """

    taker: FrameContext
    old: str
    target: ast.Name
    again: ast.Name


def old_state(context: FailureContext) -> AtFrame | None:
    """A state of an Equinox model is read or changed after a newer one took its place."""
    frame = context.frame
    if frame is None:
        return None
    for taker in reversed(context.frames):
        again = _passed_state(taker)
        target = _newer(taker, again) if again is not None else None
        if again is None or target is None:
            continue
        place = target if target.id == "_" or _is_same_call(taker, again, target) else again
        facts = {
            "name": again.id,
            "argument": target.id,
            "line": str(target.lineno),
            "detail": taker.module.text(taker.module.statement(target) or target).split("\n")[0],
        }
        return OldState(
            taker.place(taker.module.statement(place) or place),
            facts,
            "dropped" if target.id == "_" else "",
            context=context,
            taker=taker,
            old=again.id,
            target=target,
            again=again,
        )
    return AtFrame(None, {"name": "the state"}, "unknown", context=context)


def _passed_state(frame: FrameContext) -> ast.Name | None:
    """Return the state that the call of a frame passes, as a plain name."""
    call = frame.node
    if not isinstance(call, ast.Call):
        return None
    given = passed_arguments(call)
    if isinstance(call.func, ast.Attribute):
        given.append(call.func.value)
    states = [a for a in given if isinstance(a, ast.Name) and is_equinox_state(frame, a)]
    return states[0] if len(states) == 1 else None


def is_equinox_state(frame: FrameContext, node: ast.AST) -> bool:
    """Return whether a value is the state of a model of Equinox, which all examples share."""
    fact = frame.fact(node)
    return fact is not None and fact.detail == _STATE


def _may_be_state(frame: FrameContext, node: ast.AST) -> bool:
    return frame.kind(node) is None or is_equinox_state(frame, node)


def _newer(frame: FrameContext, again: ast.Name) -> ast.Name | None:
    """Return the name that holds the newer state, where an earlier call returned it.

    In a loop that is also the call at fault itself, in the round before.
    """
    module = frame.module
    statement = module.statement(again)
    if statement is None:
        return None
    loop = loop_around(module, again)
    before, around = list[ast.Name](), list[ast.Name]()
    for made in own_nodes(frame.function or module.tree):
        if not isinstance(made, ast.Assign) or again.id not in names_in(made.value):
            continue
        target = made.targets[0]
        last = target.elts[-1] if isinstance(target, ast.Tuple) and target.elts else target
        if not isinstance(last, ast.Name) or last.id == again.id or not _may_be_state(frame, last):
            continue
        if made.lineno < statement.lineno:
            before.append(last)
        elif loop is not None and loop_around(module, made) is loop:
            around.append(last)
    return max(before or around, key=lambda name: name.lineno, default=None)


def _is_same_call(frame: FrameContext, again: ast.Name, target: ast.Name) -> bool:
    return frame.module.statement(again) is frame.module.statement(target)


def newest_state(found: OldState) -> Drafts:
    """Pass the newer state on: to the next call, or to the next round of a loop."""
    module, target = found.taker.module, found.target
    draft = Draft(module).certain()
    if target.id != "_" and not _is_same_call(found.taker, found.again, target):
        yield draft.replace(found.again, target.id)
        return
    for node in own_nodes(found.taker.function or module.tree):
        is_it = isinstance(node, ast.Name) and node.id == target.id
        if node is target or (is_it and target.id != "_"):
            draft.replace(node, found.old)
    yield draft


RULES = (Rule("old-state-used", raised(old_state), by_match(newest_state)),)
