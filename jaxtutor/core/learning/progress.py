"""Owns how far a learner has come with a lesson, and which rung of its hints comes next."""

from __future__ import annotations

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


def is_past_last(count: int, shown: tuple[int, ...]) -> bool:
    """Tell whether every rung was taken: only then is a fix tried, and shown."""
    return not count or count in shown


def choose_rungs(count: int, shown: tuple[int, ...], every: bool, again: bool) -> list[int]:
    """Choose which rungs to show, counted from 1; past the last one it is the last one again."""
    if every:
        return list(range(1, count + 1))
    last = max((rung for rung in shown if rung <= count), default=0)
    if again and last:
        return [last]
    return [min(last + 1, count)]
