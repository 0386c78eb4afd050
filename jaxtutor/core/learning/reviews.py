"""Owns what a review says of memory: from the attempts of a pass to how well it was known."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import Struct

Rating = Literal["again", "hard", "good", "easy"]

EASY, GOOD, HARD = 2, 5, 10
"""Up to so many attempts. Every save is one, so a few belong to any lesson."""
MANY_HINTS = 3


class Review(Struct, frozen=True):
    """One review of a lesson. `seed` chose its hidden cases; `kept` is the text that it put away.

    While it is open, it has no end. It ends with a pass, or is given up.
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
    """How well a lesson is likely to be remembered now, and when it is due again."""

    lesson: str
    due: datetime
    chance: float  # of knowing it now
    reviews: int


def rate(attempts: int, hints: int = 0) -> Rating:
    """Tell from what a pass took how well the lesson was known."""
    if attempts > HARD:
        return "again"
    if attempts > GOOD or hints >= MANY_HINTS:
        return "hard"
    return "good" if attempts > EASY or hints else "easy"
