"""Matches blocks of Pallas kernels that do not fit the arrays of the call."""

from __future__ import annotations

import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.extending import extension_rules as match
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.calls import calls_in, keyword_value

_COUNTS = re.compile(r"`in_specs` is a \w+ of length (\d+) but `inputs` is a \w+ of length (\d+)")


def block_misfit(context: FailureContext) -> AtFrame | None:
    """A block has another number of axes than its array, or there are too few or too many."""
    found, said = match.at_pallas_call(context), _COUNTS.search(context.message)
    if found is None or said is None:
        return found
    module = found.module
    calls = list(calls_in(found.at)) if found.at else []
    specs = [v for call in calls if (v := keyword_value(call, "in_specs")) is not None]
    place = module.location(specs[0]) if len(specs) == 1 else None
    facts = {"argument": said[1], "condition": said[2]}
    return replace(found, place=place, facts={**found.facts, **facts}, form="count")


RULES = (Rule("pallas-block-rank", raised(block_misfit)),)
