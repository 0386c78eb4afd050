"""Matches and fixes a state that a loop carries on as the whole tuple which its step returned."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.source import names_in

_PLACE = re.compile(r"\[(\d+)\]$")


class CarriedWhole(AtFrame, frozen=True, kw_only=True):
    """An assignment of everything that a step returned to the name that the step takes."""

    target: ast.Name
    taken: str


def carried_whole(context: FailureContext) -> CarriedWhole | None:
    """A step takes a state and returns it with other results, and all of them get its name."""
    places = [m[1] for item in context.failure.holders if (m := _PLACE.match(item))]
    if len(places) != 1 or "'tuple' object has no attribute" not in context.message:
        return None
    for frame in reversed(context.frames):
        found = _carried_in(context, frame, int(places[0]))
        if found is not None or not _tuples(frame):
            return found
    return None


def _carried_in(context: FailureContext, frame: FrameContext, place: int) -> CarriedWhole | None:
    """Match a tuple that a frame reads, or passes on, and that it got from such a step."""
    for name in _tuples(frame):
        made = [
            s
            for s in frame.module.assignments(name.id, frame.function or frame.module.tree)
            if isinstance(s, ast.Assign) and isinstance(s.value, ast.Call)
            if isinstance(s.targets[0], ast.Name) and name.id in names_in(s.value)
        ]
        fact = frame.fact(name)
        if len(made) != 1 or fact is None or not fact.detail.isdigit():
            continue
        call, target = made[0].value, made[0].targets[0]
        assert isinstance(call, ast.Call)
        assert isinstance(target, ast.Name)
        parts = ["_"] * int(fact.detail)
        parts[place] = name.id
        facts = {
            "name": name.id,
            "detail": frame.module.text(call.func),
            "argument": ", ".join(parts),
        }
        return CarriedWhole(
            frame.place(made[0]),
            facts,
            "carried",
            context=context,
            outer_frame=frame,
            target=target,
            taken=facts["argument"],
        )
    return None


def _tuples(frame: FrameContext) -> list[ast.Name]:
    """List the names in the expression at fault that hold plain tuples."""
    nodes = ast.walk(frame.node) if frame.node is not None else ()
    names = [n for n in nodes if isinstance(n, ast.Name) and frame.kind(n) == "tuple"]
    return [n for n in names if (fact := frame.fact(n)) is not None and not fact.bases]


def take_state(found: CarriedWhole) -> Drafts:
    """Take the state out of the results, and leave the others."""
    yield Draft(found.module).certain().replace(found.target, found.taken)
