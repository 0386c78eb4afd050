"""Lays out the parts of a verdict in few rows: only whole ones, the most important first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, combinations, product
from typing import Generic, TypeVar

from msgspec import Struct

T = TypeVar("T")


class Part(Struct, Generic[T], frozen=True):
    """Something to draw, and the rows that it takes."""

    drawn: T
    rows: int


def lay_out(
    first: Sequence[Sequence[Part[T]]], rest: Sequence[Part[T]], rows: int, blank: T
) -> list[T]:
    """Order parts so that none is cut at the last visible row; what does not fit comes below it.

    `first` has the forms of each part that should be visible, the whole one first. As many of them
    as possible are, in their longest forms. What was shortened is repeated whole below.
    """
    chosen = _choose_forms(first, rows)
    places = [place for place, _ in chosen]
    shortened = [first[place][0] for place, part in chosen if part is not first[place][0]]
    left = [forms[0] for place, forms in enumerate(first) if place not in places]
    parts = [*(part for _, part in chosen), *left, *shortened, *rest]
    ends = list(accumulate(part.rows for part in parts))
    count = sum(end <= rows for end in ends)
    gap = rows - ends[count - 1] if 0 < count < len(parts) else 0
    drawn = [part.drawn for part in parts]
    return [*drawn[:count], *[blank] * gap, *drawn[count:]]


def _choose_forms(first: Sequence[Sequence[Part[T]]], rows: int) -> list[tuple[int, Part[T]]]:
    """Return the places and the forms of the parts that fit; the last ones are dropped first."""
    for count in range(len(first), 0, -1):
        for places in combinations(range(len(first)), count):
            for forms in product(*(first[place] for place in places)):
                if sum(form.rows for form in forms) <= rows:
                    return list(zip(places, forms, strict=True))
    return []
