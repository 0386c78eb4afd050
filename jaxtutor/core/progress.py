"""Owns how far a learner has come: one lesson's standing, and which lesson is next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from msgspec import Struct

Standing = Literal["new", "started", "passed"]


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


def next_lesson(
    lessons: Sequence[str], progress: Mapping[str, Progress], after: str | None = None
) -> str | None:
    """Choose the next lesson not yet passed: the first after `after`, else the first of all.

    `lessons` are slugs in the order of the course. None means that all have passed.
    """
    begin = lessons.index(after) + 1 if after in lessons else 0
    ordered = [*lessons[begin:], *lessons[:begin]]
    return next((slug for slug in ordered if not is_passed(slug, progress)), None)


def is_passed(lesson: str, progress: Mapping[str, Progress]) -> bool:
    """Tell whether a lesson has ever passed."""
    return progress.get(lesson, Progress()).status == "passed"
