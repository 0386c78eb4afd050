"""Runs the trials of the store and of the learner's files."""

from __future__ import annotations

from collections.abc import Iterator

from trials import Figure, Share

SEED = 7

TRIALS = (
    ("kills", "kills", False),
    ("faults", "killed", True),
    ("real", "real", False),
    ("together", "together", False),
    ("faults", "full", True),
    ("faults", "ill", True),
    ("rooms", "rooms", False),
    ("denied", "denied", False),
    ("lockless", "lockless", True),
    ("damage", "damage", False),
    ("versions", "versions", True),
    ("versions", "newer", False),
    ("clocks", "clocks", False),
)
"""Module, function, and whether faults.c is loaded for it."""


def run(share: Share) -> Iterator[Figure]:
    """Run a share of each trial in its own process."""
    from trials.store.apart import run_apart  # faults.c must be compiled

    for module, trial, faulty in TRIALS:
        yield from run_apart(module, trial, share, SEED, faulty)
