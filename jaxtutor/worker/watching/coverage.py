"""Counts what of a program was followed, and what was not."""

from __future__ import annotations

from collections import Counter

from jaxtutor.core.data.coverage import Coverage


class Followed:
    """Counts functions, operations and what was left out."""

    def __init__(self) -> None:
        self.functions: set[str] = set()
        self.operations = 0
        self.widened = 0
        self.left_out: Counter[str] = Counter()

    def leave_out(self, what: str, times: int = 1) -> None:
        """Count something that was not followed."""
        self.left_out[what] += times

    def coverage(self, keys: int) -> Coverage:
        """Return the counts; what was left out most often comes first."""
        return Coverage(
            len(self.functions),
            self.operations,
            self.widened,
            keys,
            tuple(self.left_out.most_common()),
        )
