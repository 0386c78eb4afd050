"""Says how far a learner has come with a lesson, and which hint comes next."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Literal

from msgspec import Struct

from jaxtutor.core.data.lessons import LessonInfo

Standing = Literal["new", "started", "passed"]

FIRST_SPECIFIC = 1000
"""Number of the first failure-specific hint; general hints are numbered from 1."""


class Progress(Struct, frozen=True):
    """What a learner did with one lesson. `passed_at` is when it first passed, in UTC."""

    attempts: int = 0
    hints_shown: int = 0
    passed_at: datetime | None = None

    @property
    def status(self) -> Standing:
        """A lesson is started by an attempt or a hint, and once passed stays passed."""
        if self.passed_at:
            return "passed"
        return "started" if self.attempts or self.hints_shown else "new"


class Rung(Struct, frozen=True):
    """One hint of a ladder: the number it is recorded under, its place, and its text.

    The place is that of a general hint among all of them, from 1, and 0 for a hint that is for one
    kind of failure: it comes and goes with the failure, so it is not counted.
    """

    number: int
    place: int
    text: str

    def title(self, info: LessonInfo) -> str:
        """Return the words above the hint."""
        return f"Hint {self.place} of {len(info.hints)}" if self.place else "Hint for what failed"


def make_ladder(
    info: LessonInfo, failed: Collection[str] = (), shown: Sequence[int] = ()
) -> tuple[Rung, ...]:
    """Return the hints for a failure: those that are for it first, then the general ones.

    `failed` names the check that failed, the class that was raised, the causes that were diagnosed,
    and the reason of the call that is shown. A general hint that says what this failure shows to be
    right already is left out (`Hint.past`). The rungs that were `shown` come before all others, in
    that order. Of the general hints the last, and no other, may give a line of the solution; after
    it, no rung is added.
    """
    texts = dict(enumerate((hint.text for hint in info.hint), FIRST_SPECIFIC))
    texts |= enumerate(info.hints, 1)
    seen = [number for number in dict.fromkeys(shown) if number in texts]
    fitting = [n for n, hint in enumerate(info.hint, FIRST_SPECIFIC) if hint.when in failed]
    past = max((info.hint[n - FIRST_SPECIFIC].past for n in fitting), default=0)
    last = len(info.hints)
    if not info.hints or last not in seen:
        following = [*fitting, *range(min(past + 1, last), last + 1)]
        seen += [number for number in following if number not in seen]
    return tuple(Rung(n, n if n < FIRST_SPECIFIC else 0, texts[n]) for n in seen)


def hint_for(
    info: LessonInfo,
    reason: str,
    names: Sequence[str],
    general: Mapping[str, str] = MappingProxyType({}),
    beside: Collection[str] = (),
) -> str:
    """Return the hints for what failed: for what is special about a call, and for its check.

    `names` has the kinds of a wrong answer, the class that was raised and the check; the first that
    has a hint counts. `general` has hints of every lesson: one of them holds for all calls, so it
    stands alone, or for the names in `beside` before the lesson's hint for the check.
    """
    own = {hint.when: hint.text for hint in reversed(info.hint)}
    name = next((name for name in names if name in own or name in general), "")
    if name not in own and name in general:
        check = next((own[it] for it in names if it in own), "") if name in beside else ""
        return " ".join(filter(None, (general[name], check)))
    return " ".join(filter(None, (own.get(reason, ""), own.get(name, ""))))


def numbers_of(info: LessonInfo, text: str) -> tuple[int, ...]:
    """Return the numbers of the hints that a verdict's hint consists of."""
    numbered = enumerate(info.hint, FIRST_SPECIFIC)
    return tuple(number for number, hint in numbered if hint.text in text)


def is_past_last(ladder: tuple[Rung, ...], shown: Collection[int]) -> bool:
    """Return whether the last rung was shown: only then is a fix tried, and shown."""
    return not ladder or ladder[-1].number in shown


def choose_rungs(
    ladder: tuple[Rung, ...], shown: Collection[int], every: bool = False, again: bool = False
) -> tuple[Rung, ...]:
    """Choose the rungs to show: the first one not shown yet; after the last one, the last again."""
    if every:
        return ladder
    seen = [rung for rung in ladder if rung.number in shown]
    if again and seen:
        return (seen[-1],)
    return (next((rung for rung in ladder if rung.number not in shown), ladder[-1]),)
