"""Owns what a figure is: values taken in turn, ours, the floor's and the rival's, and an aim.

A part is a module with `COLUMNS`, a `Columns`, and `run(options)`, which yields its rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# In the order in which the table has them: first what is over soon.
PARTS = (
    "commands",
    "cold",
    "diagnosis",
    "memory",
    "keys",
    "prompt",
    "growth",
    "grading",
    "warm",
    "course",
)


@dataclass(frozen=True)
class Options:
    """What was asked for. `home` is an empty folder, on a file system where editors rename.

    `lessons` are slugs or numbers of chapters, `sample` is how many lessons of each chapter; where
    neither is given, a part takes what it needs.
    """

    home: Path
    repeats: int = 7
    lessons: tuple[str, ...] = ()
    sample: int = 0


@dataclass(frozen=True)
class Columns:
    """What a part's table is headed with: itself, and what the ratios are ratios of."""

    title: str
    floor: str = ""
    rival: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Row:
    """One figure. Values at the same place were taken in the same round, so ratios are by round.

    Aims are what the median may be at most: of the ratios, or in `unit` for `aim`. A row that is
    not `drawn` is only kept.
    """

    name: str
    ours: Sequence[float]
    floor: Sequence[float] = ()
    rival: Sequence[float] = ()
    unit: str = "ms"
    aim: float | None = None
    of_floor: float | None = None
    of_rival: float | None = None
    drawn: bool = field(default=True, compare=False)

    def ratios(self, others: Sequence[float]) -> list[float]:
        """Return ours divided by another's, round by round."""
        pairs = zip(self.ours, others, strict=bool(others))
        return [mine / other for mine, other in pairs if other]
