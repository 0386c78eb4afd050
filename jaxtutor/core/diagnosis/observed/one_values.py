"""Names the operation that gives one value for every element, whatever it is given."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from jaxtutor.core.data.observations import OneValue
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.rules import Rule, observed


def one_value(spot: ObservedLocation[OneValue]) -> Finding:
    """An operation whose operands vary, and whose results in all calls looked at are one value."""
    seen = spot.seen
    facts = {**spot.facts, "argument": seen.value, "detail": str(seen.elements)}
    # a small example may be such that every element lies at a bound
    return replace(spot.found(facts=facts, form=seen.form), is_certain=False)


def is_explained(found: Finding, others: Sequence[tuple[str, Finding]]) -> bool:
    """Return whether another cause was found at the same line: it says why, too."""
    line = found.location.span.line
    return any(
        slug != "one-value-everywhere" and other.location.span.line == line
        for slug, other in others
    )


RULES = (Rule("one-value-everywhere", observed((OneValue, one_value)), is_echo=is_explained),)
