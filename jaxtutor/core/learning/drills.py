"""Decides which drills come next, which causes to choose from, and which causes are mastered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct

from jaxtutor.core.learning.reviews import Rating, Recall

if TYPE_CHECKING:
    from jaxtutor.core.data.drills import Drill

SESSION = 300
"""Seconds after which no further drill of a session begins: five minutes can be found any day."""
MOST_DRILLS = 8
"""Drills of a session; more would not fit into its five minutes."""
OPTIONS = 4
"""Causes to choose from, the right one included."""
MASTERED = 2
"""Drills in a row that were right, on different days: one may be luck."""
FREQUENT = 2
"""Different days with the mistake after which one "keeps meeting" it."""
FEW_TRIES = 3
"""The most runs of a fix that still count as good: an error of typing is not one of understanding.
"""


class DrillResult(Struct, frozen=True):
    """How one drill went. `fixed` is when its fix was right; `tries` counts the runs of it."""

    program: str
    cause: str
    read: datetime
    line_right: bool
    cause_right: bool
    tries: int = 0
    fixed: datetime | None = None

    @property
    def rating(self) -> Rating:
        """How well the cause was known."""
        if self.line_right and self.cause_right and self.fixed is not None:
            return "easy" if self.tries == 1 else "good" if self.tries <= FEW_TRIES else "hard"
        has_part = self.fixed is not None or (self.line_right and self.cause_right)
        return "hard" if has_part else "again"


class Meeting(Struct, frozen=True):
    """A cause that an attempt or the learner's own program had, and when."""

    cause: str
    when: datetime


class CauseRecord(Struct, frozen=True):
    """What is known of one cause: the meetings with it, one for each day, and its drills."""

    cause: str
    met: tuple[datetime, ...] = ()
    drilled: tuple[DrillResult, ...] = ()

    @property
    def seen(self) -> list[tuple[datetime, Rating]]:
        """When the cause was seen, and how well it was known: a mistake is one forgotten."""
        meetings: list[tuple[datetime, Rating]] = [(when, "again") for when in self.met]
        return meetings + [(done.fixed or done.read, done.rating) for done in self.drilled]

    @property
    def is_mastered(self) -> bool:
        """Whether the last drills, on different days, were right, and no mistake followed them."""
        last = self.drilled[-MASTERED:]
        days = {done.read.date() for done in last}
        right = all(done.rating in ("good", "easy") for done in last)
        return (
            len(days) == MASTERED and right and max(self.met, default=last[0].read) <= last[0].read
        )

    @property
    def is_recurring(self) -> bool:
        """Whether the mistake was made on several days, and no drill was right after the last."""
        right = [done.read for done in self.drilled if done.rating in ("good", "easy")]
        return len(self.met) >= FREQUENT and max(right, default=self.met[0]) <= self.met[-1]


def gather(meetings: Iterable[Meeting], results: Iterable[DrillResult]) -> dict[str, CauseRecord]:
    """Collect what is known by cause, in order of time; a day's meetings with a cause are one."""
    met: dict[str, dict[object, datetime]] = {}
    for meeting in sorted(meetings, key=lambda it: it.when):
        met.setdefault(meeting.cause, {}).setdefault(meeting.when.date(), meeting.when)
    drilled: dict[str, list[DrillResult]] = {}
    for result in sorted(results, key=lambda it: it.read):
        drilled.setdefault(result.cause, []).append(result)
    return {
        cause: CauseRecord(cause, tuple(met.get(cause, {}).values()), tuple(drilled.get(cause, ())))
        for cause in sorted(met.keys() | drilled.keys())
    }


# ---------------------------------------------------------------- what comes next


def plan(
    drills: Mapping[str, Sequence[Drill]],
    results: Sequence[DrillResult],
    recalls: Iterable[Recall],
    now: datetime,
    most: int = MOST_DRILLS,
) -> tuple[Drill, ...]:
    """Choose the drills of a session, one for each cause.

    Causes that are due come first, and then new ones; among either the easier come first. The
    program that was drilled last is not the first of its group.
    """
    known = {recall.slug: recall for recall in recalls if recall.slug in drills}
    due = [recall for recall in known.values() if recall.due <= now]
    due.sort(key=lambda recall: (recall.chance, recall.slug))
    new = [cause for cause in drills if cause not in known and drills[cause]]
    new.sort(key=lambda cause: (drills[cause][0].level, _shuffled(cause)))
    mine = [recall.slug for recall in due][:most]
    last = results[-1].program if results else ""
    chosen: list[Drill] = []
    for causes in (mine, new[: most - len(mine)]):
        group = [choose_program(drills[cause], results) for cause in causes]
        group.sort(key=lambda drill: (drill.level, drill.size, drill.name))
        chosen += _without_repeat(group, last)
    return tuple(chosen)


def plan_cause(
    drills: Sequence[Drill], results: Sequence[DrillResult], most: int = MOST_DRILLS
) -> tuple[Drill, ...]:
    """Order the drills of one cause: those not seen for the longest time first."""
    last = results[-1].program if results else ""
    return _without_repeat(sorted(drills, key=_age(results)), last)[:most]


def choose_program(drills: Sequence[Drill], results: Sequence[DrillResult]) -> Drill:
    """Choose the program that was not seen for the longest time; of new ones, the shortest."""
    return min(drills, key=_age(results))


def _age(results: Sequence[DrillResult]) -> Callable[[Drill], tuple[int, int, str]]:
    seen = {result.program: place for place, result in enumerate(results, 1)}
    return lambda drill: (seen.get(drill.name, 0), drill.size, drill.name)


def _without_repeat(drills: Sequence[Drill], last: str) -> tuple[Drill, ...]:
    """Move the program that was drilled last away from the front."""
    if len(drills) > 1 and drills[0].name == last:
        return (drills[1], drills[0], *drills[2:])
    return tuple(drills)


def _shuffled(text: str) -> bytes:
    """Return a key that orders texts without regard to the alphabet, always in the same way."""
    from hashlib import sha256  # here, because commands without drills import this module too

    return sha256(text.encode()).digest()


# ---------------------------------------------------------------- what to choose from


def choose_options(drill: Drill, near: Sequence[Iterable[str]]) -> tuple[str, ...]:
    """Return the causes to choose from: the right one, and wrong ones, the nearest first.

    `near` has groups of slugs, the nearest group first. The order is that of a drill's name, so
    that the same drill shows it again.
    """
    groups = [sorted(group, key=lambda it: _shuffled(drill.name + it)) for group in near]
    others = [slug for slug in dict.fromkeys(chain(*groups)) if slug != drill.cause]
    shown = [drill.cause, *others[: OPTIONS - 1]]
    return tuple(sorted(shown, key=lambda slug: _shuffled(slug + drill.name)))
