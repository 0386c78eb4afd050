"""Defines the long trials of jaxtutor's promises, and the figure that each of them yields.

A part is a module with `run(share)`, which yields one figure for each promise. Size 1 gives the
figures in docs/reliability.md; the tests run the same code at a small size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

# In the order of docs/reliability.md.
PARTS = (
    *("hostile", "values", "cheats", "forgeries", "store", "watcher", "view", "fuzz", "courses"),
    "site",
    "soak",
)

SHARDED = ("hostile", "values", "cheats", "forgeries", "store")
"""The parts that can be run in shards."""

SOAK_HOURS = 4.0
"""How long the part `soak` lasts at size 1."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """The result of trying one promise: how often it was tried and held, and each failure."""

    promise: str
    tried: int
    held: int
    detail: str = ""
    failures: tuple[str, ...] = ()
    not_tried: str = ""
    """Why this machine cannot try it."""

    @property
    def holds(self) -> bool:
        """Whether the promise was tried at all and held every time."""
        return 0 < self.tried == self.held


Trial = TypeVar("Trial")


@dataclass(frozen=True)
class Share:
    """How much of a part to run: a size, and one of so many shards of it.

    The shards of a size have no trial in common, and together they are all of it.
    """

    size: float = 1.0
    shard: int = 1
    shards: int = 1

    def of(self, trials: Sequence[Trial]) -> Sequence[Trial]:
        """Return this share of a list of trials. A size below 1 takes trials at even distances."""
        count = min(len(trials), max(1, round(len(trials) * self.size)))
        return self.split([trials[n * len(trials) // count] for n in range(count)])

    def numbers(self, count: int) -> Sequence[int]:
        """Return this share of the numbers of random trials, of which size 1 has `count`.

        The number of a trial is its seed, or a part of it, so that it is the same in any shard.
        """
        return self.split(range(max(1, round(count * self.size))))

    def split(self, trials: Sequence[Trial]) -> Sequence[Trial]:
        """Return the trials of this shard."""
        return trials[self.shard - 1 :: self.shards]

    def __str__(self) -> str:
        return f"{self.shard}/{self.shards}"


@dataclass(frozen=True, kw_only=True)
class Result:
    """What one part yielded, and how long it took. An exception that ended it is in `ended`."""

    part: str
    share: Share
    figures: tuple[Figure, ...]
    seconds: float
    ended: str = ""

    @property
    def holds(self) -> bool:
        """Whether the part ran to its end, and every promise held."""
        return not self.ended and all(figure.holds for figure in self.figures)
