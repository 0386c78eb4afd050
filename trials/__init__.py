"""Defines the long trials of jaxtutor's promises, and the figure that each of them yields.

A part is a module with `run(size)`, which yields one figure for each promise. Size 1 gives the
figures in docs/reliability.md; the tests run the same code at a small size.
"""

from __future__ import annotations

from dataclasses import dataclass

# In the order of docs/reliability.md.
PARTS = (
    *("hostile", "values", "cheats", "forgeries", "store", "watcher", "view", "fuzz", "courses"),
    "soak",
)

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

    @property
    def holds(self) -> bool:
        """Whether the promise was tried at all and held every time."""
        return 0 < self.tried == self.held
