"""Matches masks of attention in NNX that have more axes than the scores."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Location
from jaxtutor.core.diagnosis.reading.calls import keyword_value
from jaxtutor.core.diagnosis.reading.library_calls import given_values, home_of

_SAID = re.compile(r"mask ndim should be (\d), but got (\d)")


def mask_of_other_rank(context: FailureContext) -> AtFrame | None:
    """A mask of attention has more axes than batch, heads, queries and keys."""
    said, frame, call = _SAID.search(context.message), context.frame, context.call
    mask = keyword_value(call, "mask") if call is not None else None
    if said is None or frame is None or mask is None:
        return None
    fact = frame.fact(mask)
    shape = fact.detail.partition("[")[2].rstrip("]") if fact is not None else ""
    facts = {
        "name": frame.module.text(mask),
        "container": f"the shape ({shape.replace(',', ', ')})" if shape else f"{said[2]} axes",
    }
    return AtFrame(_mask_origin(context, frame, mask), facts, context=context)


def _mask_origin(context: FailureContext, frame: FrameContext, mask: ast.expr) -> Location | None:
    """Return the place of the expression that made a mask."""
    made = given_values(context, frame, mask)[-1]
    home = home_of(context, made) or frame.module
    return home.location(made)


RULES = (Rule("attention-mask-rank", raised(mask_of_other_rank)),)
