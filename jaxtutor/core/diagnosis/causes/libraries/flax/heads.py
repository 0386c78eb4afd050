"""Matches numbers of attention heads that do not divide the number of features."""

from __future__ import annotations

import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame, at_frame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised

_SIZES = re.compile(r"Memory dimension \((\d+)\) must be divisible by \D*\((\d+)\)")
MOST_NUMBERS = 4


def undivided(context: FailureContext) -> AtFrame | None:
    """The features of attention cannot be divided among its heads."""
    found, said = at_frame(context), _SIZES.search(context.message)
    if found is None or said is None or int(said[2]) < 1:
        return None
    width, heads = int(said[1]), int(said[2])
    below, above = width - width % heads, width - width % heads + heads
    near = sorted(
        (n for n in range(1, width + 1) if width % n == 0), key=lambda n: (abs(n - heads), n)
    )
    facts = {
        "name": str(heads),
        "argument": str(width),
        "detail": f"{below} or {above}" if below else str(above),
        "condition": ", ".join(map(str, sorted(near[:MOST_NUMBERS]))),
    }
    return replace(found, facts=facts)


RULES = (Rule("heads-do-not-divide", raised(undivided)),)
