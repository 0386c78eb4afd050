"""Runs the trials of foreign courses, hostile submissions, bad input and broken environments."""

from __future__ import annotations

from collections.abc import Iterator

from trials import Figure, Share
from trials.courses import foreign, inputs, submissions, surroundings


def run(share: Share) -> Iterator[Figure]:
    """Run all of them. There is no seed, because the trials are the same each time."""
    for part in (foreign, submissions, inputs, surroundings):
        yield from part.run(share.size)
