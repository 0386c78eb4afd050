"""Says how far a learner has come with a lesson, and which hint comes next."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
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
    """One hint of a ladder: the number it is recorded under, its place from 1, and its text."""

    number: int
    place: int
    text: str


def make_ladder(info: LessonInfo, failed: Collection[str] = ()) -> tuple[Rung, ...]:
    """Return the hints for a failure: those that are for it first, then the general ones.

    `failed` names the check that failed, the class that was raised, the causes that were diagnosed,
    and the reason of the call that is shown. The last rung, and no other, may give a line of the
    solution.
    """
    numbered = [*_specific(info, failed), *enumerate(info.hints, 1)]
    return tuple(Rung(number, place, text) for place, (number, text) in enumerate(numbered, 1))


def _specific(info: LessonInfo, failed: Collection[str]) -> Iterator[tuple[int, str]]:
    for number, hint in enumerate(info.hint, FIRST_SPECIFIC):
        if hint.when in failed:
            yield number, hint.text


def hint_for(info: LessonInfo, reason: str, names: Sequence[str]) -> str:
    """Return the hints for what failed: for what is special about a call, and for its check.

    `names` has the class that was raised and the check; the first that has a hint counts.
    """
    found = {hint.when: hint.text for hint in reversed(info.hint)}
    check = next((found[name] for name in names if name in found), "")
    return " ".join(filter(None, (found.get(reason, ""), check)))


def numbers_of(ladder: tuple[Rung, ...], text: str) -> tuple[int, ...]:
    """Return the numbers of the rungs that a verdict's hint holds."""
    return tuple(rung.number for rung in ladder if rung.text in text)


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
