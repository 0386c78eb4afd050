"""Says what is known about a submission while its check still runs."""

from __future__ import annotations

from jaxtutor.core.data.facts import CaseFacts, Event, TraceFacts
from jaxtutor.core.judging.compare import Tolerance, compare

KNOWN = ("", "it traces", "it runs", "wrong answer")
"""What can be known, in the order in which one replaces another."""


def add_known(known: str, event: Event, tolerance: Tolerance | None) -> str:
    """Return what is known after an event, one of `KNOWN`.

    It stays true whatever the rest of the check finds, and it is not the verdict.
    """
    return max(known, _known_from(event, tolerance), key=KNOWN.index)


def _known_from(event: Event, tolerance: Tolerance | None) -> str:
    match event:
        case TraceFacts():
            return "it traces"
        case CaseFacts(output=output, stated=stated) if output is not None:
            is_wrong = stated is not None and compare(output, stated, tolerance) is not None
            return "wrong answer" if is_wrong else "it runs"
    return ""
