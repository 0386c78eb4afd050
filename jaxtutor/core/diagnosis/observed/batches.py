"""Names arrays of which a part was trained with, and the rest never."""

from __future__ import annotations

from msgspec.structs import replace

from jaxtutor.core.data.observations import RowsMixed
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.rules import Rule, observed


def rows_mixed(spot: ObservedLocation[RowsMixed]) -> Finding:
    """An evaluation of rows that a step was trained with, and of others that it never got."""
    seen = spot.seen
    facts = {
        **spot.facts,
        "argument": str(seen.among),
        "detail": str(seen.count),
        "condition": str(seen.times),
    }
    return replace(spot.found(facts=facts), is_certain=False)


RULES = (Rule("rows-left-out", observed((RowsMixed, rows_mixed))),)
