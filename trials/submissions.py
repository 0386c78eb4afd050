"""Finds the hostile submissions: those of tests/hostile, and those that are generated."""

from __future__ import annotations

from collections.abc import Iterator

from trials.kinds import FOLDER, Kind, make, read

RIGHT = b"""
import jax.numpy as jnp


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
"""


def find() -> Iterator[Kind]:
    """Yield all kinds by name, those on disk first."""
    yield from (read(path) for path in sorted(FOLDER.glob("*.py")))
    yield from generated()


def generated() -> Iterator[Kind]:
    """Yield each generated kind: too large for a file of its own, or not text."""
    yield make(
        "made_nul_bytes",
        "# expects: raised|refused: null bytes\n# It has a byte of zero among its text.",
        RIGHT + b"\0\n",
    )
