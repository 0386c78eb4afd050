"""Names what makes the copies of an array on several devices differ."""

from __future__ import annotations

from jaxtutor.core.data.observations import CopiesDiffer
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.rules import Rule, observed


def copies_differ(spot: ObservedLocation[CopiesDiffer]) -> Finding:
    """A result that is declared the same on all devices, and whose copies were not equal."""
    seen = spot.seen
    at = f" at `{seen.path}`" if seen.path else ""
    others = f" ({seen.times} results differ)" if seen.times > 1 else ""
    facts = {
        "name": seen.axis,
        "function": seen.mapped or spot.frame.function,
        "detail": f"{seen.apart}{at}{others}",
    }
    return spot.found(facts=facts, form=seen.form)


RULES = (Rule("copies-differ", observed((CopiesDiffer, copies_differ))),)
