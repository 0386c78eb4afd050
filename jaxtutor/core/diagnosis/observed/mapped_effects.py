"""Names effects that happen for every example of a mapped function, also where none is meant."""

from __future__ import annotations

from msgspec.structs import replace

from jaxtutor.core.data.observations import EffectForAll
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.rules import Rule, observed


def effect_for_all(spot: ObservedLocation[EffectForAll]) -> Finding:
    """An effect in a branch or a round that is not meant for every example.

    That a loop prints for examples that are done may not matter, so it is worth a look.
    """
    seen = spot.seen
    facts = {**spot.facts, "detail": f"{seen.count} of {seen.among}", "name": str(seen.among)}
    found = spot.found(facts=facts, form="loop" if seen.is_loop else "")
    return replace(found, is_certain=not seen.is_loop)


RULES = (Rule("effect-in-mapped-branch", observed((EffectForAll, effect_for_all))),)
