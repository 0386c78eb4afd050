"""Tries a clock that jumps back, forward, or out of all bounds."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

from trials import Figure, Share
from trials.store import learner
from trials.store.apart import count_held

NOW = datetime(2026, 11, 1, 5, 59, 59, tzinfo=UTC)
TIMES = {
    "a second earlier": NOW - timedelta(seconds=1),
    "a year earlier": NOW - timedelta(days=365),
    "a year later": NOW + timedelta(days=365),
    "the hour that summer time repeats": datetime(2026, 11, 1, 6, 30, tzinfo=UTC),
    "the hour that summer time leaves out": datetime(2027, 3, 14, 7, 0, tzinfo=UTC),
    "the beginning of 1970": datetime(1970, 1, 1, tzinfo=UTC),
    "before 1970": datetime(1901, 12, 13, 20, 45, 52, tzinfo=UTC),
    "the first year": datetime(1, 1, 1, tzinfo=UTC),
    "2038": datetime(2038, 1, 19, 3, 14, 8, tzinfo=UTC),
    "a leap day": datetime(2028, 2, 29, 23, 59, 59, tzinfo=UTC),
    "9999": datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
}
ZONES = ("UTC", "America/New_York", "Pacific/Kiritimati", "Pacific/Pago_Pago")
LOOKING = (
    *(("stats",), ("stats", "--json"), ("review",), ("review", "--json"), ("list",)),
    *(("history", learner.LESSON), ("history", learner.LESSON, "--json")),
)


def clocks(share: Share, seed: int) -> Iterator[Figure]:
    """Let the clock jump between any two events, in several time zones, and show every page."""
    dice = random.Random(seed)
    jumps = [(zone, a, b) for zone in ZONES for a in TIMES for b in TIMES]
    chosen = share.of(dice.sample(jumps, 100))
    failures = []
    for zone, first, second in chosen:
        problems = jump(zone, TIMES[first], TIMES[second])
        failures += [f"{zone}, {first}, then {second}: {problem}" for problem in problems]
    yield Figure(
        promise="the clock jumps between two events",
        tried=len(chosen),
        held=count_held(len(chosen), failures),
        detail=f"{len(TIMES)} times, {len(ZONES)} time zones; seed {seed}",
        failures=tuple(failures[:40]),
    )


def jump(zone: str, first: datetime, second: datetime) -> list[str]:
    """Record a failure and a pass at two times, review the lesson, and check the pages."""
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        with learner.in_zone(zone):
            for when, status in ((first, "failed"), (second, "passed"), (first, "failed")):
                with at(when), learner.opened(home) as app:
                    learner.record(app, learner.LESSON, f"# {when} {status}\n", status)
            for when in (second, first):
                with at(when):
                    begun = learner.carry_out(home, "review", learner.LESSON)
                    problems.append(begun.problem() or (begun.said if begun.status else ""))
                    with learner.opened(home) as app:
                        learner.record(app, learner.LESSON, "again", "passed")
                    for looking in LOOKING:
                        ran = learner.carry_out(home, *looking)
                        problem = ran.problem() or (ran.said if ran.status else "")
                        problems.append(problem and f"{' '.join(looking)}: {problem}")
            with learner.opened(home) as app:
                numbers = [it.n for it in app.store.attempts(learner.LESSON)]
                reviews = app.store.reviews()
    if numbers != [1, 2, 3, 4, 5]:
        problems.append(f"the attempts are {numbers}")
    if [it.passed for it in reviews] != [True, True]:
        problems.append(f"the reviews are {reviews}")
    return [str(problem) for problem in problems if problem]


def at(when: datetime) -> AbstractContextManager[object]:
    """Set the clock that every command reads."""
    return patch("jaxtutor.storage.clock.read", lambda: when)
