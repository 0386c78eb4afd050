"""Generates kinds of submissions that cannot be stored in tests/hostile: too large, or not text."""

from __future__ import annotations

from collections.abc import Iterator

from trials.kinds import Kind, make

RIGHT = b"""
import jax.numpy as jnp


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
"""


def kinds() -> Iterator[Kind]:
    """Yield each generated kind."""
    yield make(
        "made_nul_bytes",
        "# expects: raised|refused: null bytes\n# It has a byte of zero among its text.",
        RIGHT + b"\0\n",
    )
