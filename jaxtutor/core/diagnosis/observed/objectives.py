"""Names what keeps a search or a training from getting better: what is compared or minimised."""

from __future__ import annotations

from msgspec.structs import replace

from jaxtutor.core.data.observations import BestStays, NoMinimum, NotConjugated, StayAlike, StepsUp
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.rules import Rule, observed


def best_stays(spot: ObservedLocation[BestStays]) -> Finding:
    """A best number that is compared with one and the same number in each round."""
    seen = spot.seen
    facts = {**spot.facts, "argument": seen.value, "detail": str(seen.rounds)}
    # a score may be as good as it can be from the start
    return replace(spot.found(facts=facts), is_certain=False)


def no_minimum(spot: ObservedLocation[NoMinimum]) -> Finding:
    """A loss that is linear in a parameter, which its steps move in one direction."""
    seen = spot.seen
    facts = {**spot.facts, "name": seen.path, "argument": str(seen.times)}
    # what is trained may be kept within bounds elsewhere
    return replace(spot.found(facts=facts), is_certain=False)


def steps_up(spot: ObservedLocation[StepsUp]) -> Finding:
    """Steps along a gradient that grows and grows."""
    seen = spot.seen
    facts = {**spot.facts, "argument": str(seen.times), "detail": seen.growth}
    # some objectives are to become large
    return replace(spot.found(facts=facts, form="rising"), is_certain=False)


def not_conjugated(spot: ObservedLocation[NotConjugated]) -> Finding:
    """Steps of complex numbers along the gradient of a real function."""
    return spot.found(facts={**spot.facts, "name": spot.seen.path})


def stay_alike(spot: ObservedLocation[StayAlike]) -> Finding:
    """Units of a layer that no step can make different."""
    seen = spot.seen
    facts = {**spot.facts, "name": seen.path, "argument": seen.other, "detail": str(seen.count)}
    # what is trained may be an example that needs no more
    return replace(spot.found(facts=facts), is_certain=False)


RULES = (
    Rule("best-never-replaced", observed((BestStays, best_stays))),
    Rule("loss-without-minimum", observed((NoMinimum, no_minimum))),
    Rule("step-with-wrong-sign", observed((StepsUp, steps_up))),
    Rule("gradient-not-conjugated", observed((NotConjugated, not_conjugated))),
    Rule("units-stay-alike", observed((StayAlike, stay_alike))),
)
