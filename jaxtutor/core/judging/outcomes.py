"""Reads the facts of an outcome: what was measured and printed, and how the process ended."""

from __future__ import annotations

from typing import TypeVar

from jaxtutor.core.data.facts import (
    Done,
    ObservationFacts,
    Outcome,
    PropertyFacts,
    Started,
    TraceFacts,
)
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.observations import LeakedTracer, Observation
from jaxtutor.core.judging.jaxprs import primitives

E = TypeVar("E")


def pick(outcome: Outcome, kind: type[E]) -> tuple[E, ...]:
    """Return the facts of one kind, in the order of their arrival."""
    return tuple(event for event in outcome.events if isinstance(event, kind))


def observations(outcome: Outcome) -> tuple[Observation, ...]:
    """Return what was observed while the program ran, including leaks under transformations."""
    seen: list[Observation] = [facts.observation for facts in pick(outcome, ObservationFacts)]
    for facts in pick(outcome, PropertyFacts):
        seen += [LeakedTracer(leak, frame=leak.created) for leak in facts.leaks]
    return tuple(seen)


def first_failure(outcome: Outcome) -> Failure | None:
    """Return the first failure among all facts."""
    for event in outcome.events:
        failure = getattr(event, "failure", None)
        if failure is not None:
            return failure  # type: ignore[no-any-return]
    return None


_END_WORDS = {
    "finished": "finished",
    "timed_out": "did not end in time",
    "crashed": "ended its process",
    "out_of_memory": "needed too much memory",
    "cancelled": "was cancelled",
}


def end_words(outcome: Outcome) -> str:
    """Say how a process ended, as the end of a sentence about it."""
    detail = f" ({outcome.end_detail})" if outcome.end_detail else ""
    return _END_WORDS[outcome.end] + detail


def last_call(outcome: Outcome) -> str:
    """Describe the call that was running when the process ended, where one is known."""
    started = pick(outcome, Started)
    return started[-1].call if started else ""


def calls_python(outcome: Outcome) -> bool:
    """Return whether what was traced computes in Python on the host."""
    return any("pure_callback" in primitives(it.jaxpr) for it in pick(outcome, TraceFacts))


def shown_prints(outcome: Outcome) -> str:
    """Return the prints a learner expects: of the import, and of one compiled call.

    Tracing alone prints too; it is shown where no call came after it.
    """
    printed: dict[str, str] = {}
    for stage, text in outcome.printed:
        printed[stage] = printed.get(stage, "") + text
    called = printed.get("jit", "") or printed.get("jaxpr", "")
    return printed.get("import", "") + called


def own_seconds(outcome: Outcome) -> float:
    """Return the submission's own time, or what passed until it was ended."""
    return next((done.seconds for done in pick(outcome, Done)), outcome.seconds)
