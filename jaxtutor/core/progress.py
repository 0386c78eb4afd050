"""Owns how far a learner has come with a lesson."""

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
