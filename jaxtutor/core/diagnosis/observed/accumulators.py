"""Names sums of gradients that are not cleared after an update."""

from __future__ import annotations

from msgspec.structs import replace

from jaxtutor.core.data.observations import SumKept
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.rules import Rule, observed


def sum_kept(spot: ObservedLocation[SumKept]) -> Finding:
    """An addition to gradients that an update was made with before."""
    facts = {"detail": str(spot.seen.times)}
    return replace(spot.found(facts=facts), is_certain=spot.seen.is_certain)


RULES = (Rule("gradients-not-cleared", observed((SumKept, sum_kept))),)
