"""Splits a long run into shards of about equal work, which several machines can run."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heapreplace

from msgspec import Struct


class Shard(Struct, frozen=True):
    """One of so many parts of a run; numbers begin with 1."""

    number: int
    count: int


def read_shard(text: str) -> Shard | None:
    """Parse `K/N`, with K from 1 to N; None for any other text."""
    number, _, count = text.partition("/")
    if not all(it.isascii() and it.isdecimal() and len(it) < 10 for it in (number, count)):
        return None
    return Shard(int(number), int(count)) if 1 <= int(number) <= int(count) else None


def places_in(shard: Shard, weights: Sequence[float]) -> list[int]:
    """Return the places of the parts that belong to a shard, in order.

    The heaviest part comes first, and each goes to the shard that has the least. Every machine
    splits the same weights alike, and no part is in two shards.
    """
    loads = [(0.0, number) for number in range(min(shard.count, len(weights)))]
    heapify(loads)
    chosen = []
    for place in sorted(range(len(weights)), key=lambda it: (-weights[it], it)):
        load, number = loads[0]
        heapreplace(loads, (load + weights[place], number))
        if number == shard.number - 1:
            chosen.append(place)
    return sorted(chosen)
