"""Rates how well a lesson was remembered, from the attempts and hints a pass took."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import Struct

Rating = Literal["again", "hard", "good", "easy"]

EASY, GOOD, HARD = 2, 5, 10
"""The most attempts for each rating. Every save is one, so a few are normal for any lesson."""
MANY_HINTS = 3


class Review(Struct, frozen=True):
    """One review of a lesson: `seed` selects its hidden cases, `kept` numbers the saved text.

    An open review has no end. It ends with a pass, or is cancelled.
    """

    lesson: str
    n: int
    seed: int
    begun: datetime
    kept: int | None = None
    ended: datetime | None = None
    attempts: int = 0
    passed: bool = False

    @property
    def rating(self) -> Rating:
        """How well the lesson was remembered."""
        return rate(self.attempts) if self.passed else "again"


class Recall(Struct, frozen=True):
    """How well a lesson or a cause is probably remembered, and when its next review is due."""

    slug: str
    due: datetime
    chance: float  # of remembering it now
    reviews: int


def rate(attempts: int, hints: int = 0) -> Rating:
    """Rate how well a lesson was known, from what it took to pass."""
    if attempts > HARD:
        return "again"
    if attempts > GOOD or hints >= MANY_HINTS:
        return "hard"
    return "good" if attempts > EASY or hints else "easy"
