"""Matches and fixes the body of a scan that takes the element first and the carry second."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.transforms import (
    AppliedTransform,
    definition_place,
    every,
    name_of,
)
from jaxtutor.core.diagnosis.reading.functions import parameters
from jaxtutor.core.diagnosis.reading.library_calls import is_key


class SwappedBody(AtFrame, frozen=True, kw_only=True):
    """A scan whose body has its two parameters the wrong way round."""

    scan: AppliedTransform


def body_swapped(context: FailureContext) -> SwappedBody | None:
    """A scan goes over keys, and its body takes the key first, where it gets the carry."""
    for frame, scan in _bodies(context):
        first, second = parameters(scan.function)
        carried, element = frame.fact(first.arg), frame.fact(second.arg)
        is_swapped = element is not None and is_key(element.detail)
        is_swapped = is_swapped and carried is not None and not is_key(carried.detail)
        if is_swapped and scan.function is not None and _is_passed_as_key(context, first.arg):
            function = name_of(scan.function)
            facts = {"function": function, "name": first.arg, "argument": second.arg}
            place = definition_place(scan.module, scan.function)
            return SwappedBody(place, facts, context=context, outer_frame=frame, scan=scan)
    return None


def _bodies(context: FailureContext) -> Iterator[tuple[FrameContext, AppliedTransform]]:
    """Yield the live frames that are the body of a scan with two parameters."""
    scans = every(context, "scan")
    for frame in context.frames:
        for scan in scans:
            is_body = frame.function is not None and scan.function is frame.function
            if is_body and len(parameters(scan.function)) == 2:
                yield frame, scan


def _is_passed_as_key(context: FailureContext, name: str) -> bool:
    """Return whether a name is the first argument of a call that is being evaluated."""
    return "PRNG" in context.message and any(
        isinstance(frame.node, ast.Call)
        and frame.node.args
        and getattr(frame.node.args[0], "id", "") == name
        for frame in context.frames
    )


def swap_parameters(found: SwappedBody) -> Drafts:
    """Take the carry first."""
    first, second = parameters(found.scan.function)
    module = found.scan.module
    draft = Draft(module).certain()
    yield draft.replace(first, module.text(second)).replace(second, module.text(first))


RULES = (Rule("scan-body-args-swapped", raised(body_swapped), swap_parameters),)
