"""Owns the trials of courses by others, of hostile papers, and of bad input and surroundings."""

from __future__ import annotations

from collections.abc import Iterator

from trials import Figure
from trials.courses import foreign, inputs, papers, surroundings


def run(size: float) -> Iterator[Figure]:
    """Try them all; what is tried is the same each time, so there is no seed."""
    for part in (foreign, papers, inputs, surroundings):
        yield from part.run(size)
