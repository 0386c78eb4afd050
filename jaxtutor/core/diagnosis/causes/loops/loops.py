"""Finds the loop or branching at fault, its body, and where the body returns its result."""

from __future__ import annotations

from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Location
from jaxtutor.core.diagnosis.engine.transforms import (
    AppliedTransform,
    find_in_frames,
    function_argument,
    result_place,
)

LOOPS = ("scan", "fori_loop", "while_loop", "map", "associative_scan")
INIT_POSITIONS = {"scan": 1, "fori_loop": 3, "while_loop": 2}
"""The loops that have a carry, and the position of the initial one among their arguments."""


class InLoop(AtFrame, frozen=True, kw_only=True):
    """A cause in a loop or branching: `function` is its body, condition or branch at fault."""

    loop: AppliedTransform | None
    function: FunctionNode | None


def in_loop(context: FailureContext, *kinds: str) -> InLoop | None:
    """Return the loop or branching at fault with its body; a match without it if not known."""
    if context.frame is None:
        return None
    loop = find_in_frames(context, *kinds)
    body = body_of(loop) if loop is not None else None
    return InLoop(context=context, loop=loop, function=body)


def body_of(loop: AppliedTransform) -> FunctionNode | None:
    """Return the body of a loop, which for a while_loop is its second function."""
    return function_argument(loop, 1, "body_fun") if loop.kind == "while_loop" else loop.function


def place_of_result(found: InLoop) -> Location | None:
    """Return where the body of the loop returns its result, if the body is known."""
    if found.loop is None or found.function is None:
        return None
    return result_place(found.loop.module, found.function)
