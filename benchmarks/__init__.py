"""Defines a figure of the benchmarks: interleaved values of jaxtutor, a floor and a rival.

A part is a module with `COLUMNS`, a `Columns`, and `run(options)`, which yields its rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# In the order of the table: the quickest first.
PARTS = (
    "commands",
    "instructions",
    "cold",
    "answers",
    "diagnosis",
    "mechanisms",
    "linting",
    "memory",
    "keys",
    "prompt",
    "growth",
    "grading",
    "warm",
    "devices",
    "training",
    "course",
)


@dataclass(frozen=True)
class Options:
    """The command line's options. `home` is an empty folder on a file system where editors rename.

    `lessons` are slugs or chapter numbers, and `sample` is the number of lessons of each chapter.
    Without either, a part uses its own choice.
    """

    home: Path
    repeats: int = 7
    lessons: tuple[str, ...] = ()
    sample: int = 0


@dataclass(frozen=True)
class Columns:
    """The headings of a part's table: its title and the columns of its ratios.

    What is `counted` is the same on a busy machine.
    """

    title: str
    floor: str = ""
    rival: str = ""
    notes: tuple[str, ...] = ()
    counted: bool = False


@dataclass(frozen=True, kw_only=True)
class Row:
    """One figure. Values at the same position belong to the same round, for ratios by round.

    Targets are upper bounds of the median: of the ratios, or of the value in `unit` for `aim`. A
    row that is not `drawn` is only written to the JSON.
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
        """Return our values divided by another side's, round by round."""
        pairs = zip(self.ours, others, strict=bool(others))
        return [mine / other for mine, other in pairs if other]
