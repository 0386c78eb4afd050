"""Owns the long trials of what jaxtutor promises, and what they have in common.

A part is a module with `run(size)`, which yields one figure a promise. Size 1 is the trial whose
figures docs/reliability.md gives; the tests run the same code at a small size.
"""

from __future__ import annotations

from dataclasses import dataclass

# In the order in which docs/reliability.md speaks of them.
PARTS = ("hostile", "values", "cheats", "store", "watcher", "view", "fuzz", "courses", "soak")


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One promise as it was tried: how often, how often it held, and what was seen where not."""

    promise: str
    tried: int
    held: int
    detail: str = ""
    failures: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Say whether the promise held each time, and was tried at all."""
        return 0 < self.tried == self.held
