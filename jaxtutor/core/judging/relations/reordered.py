"""Finds answers with the expected elements in another order along an axis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from jaxtutor.core.judging.compare import Number
from jaxtutor.core.judging.relations.calls import (
    LEAST_CALLS,
    ComparedCall,
    HoldingRelation,
    NumberArray,
    are_alike,
    count_differing,
)

Reorder = Callable[[list[tuple[Number, ...]]], list[tuple[Number, ...]] | None]


def _swap_halves(items: list[tuple[Number, ...]]) -> list[tuple[Number, ...]] | None:
    half, odd = divmod(len(items), 2)
    return None if odd else items[half:] + items[:half]


def _alternate(items: list[tuple[Number, ...]]) -> list[tuple[Number, ...]] | None:
    half, odd = divmod(len(items), 2)
    if odd:
        return None
    return [item for pair in zip(items[:half], items[half:], strict=True) for item in pair]


def _separate(items: list[tuple[Number, ...]]) -> list[tuple[Number, ...]] | None:
    return None if len(items) % 2 else items[::2] + items[1::2]


_ORDERS: tuple[tuple[str, str, Reorder], ...] = (
    ("last-first", "has the last {item} of the expected one first", lambda i: i[-1:] + i[:-1]),
    ("first-last", "has the first {item} of the expected one last", lambda i: i[1:] + i[:1]),
    ("halves-swapped", "has the two halves of the expected {whole} swapped", _swap_halves),
    ("alternating", "takes turns between the two halves of the expected {whole}", _alternate),
    ("separated", "has every other {item} first, then the rest; expected alternating", _separate),
)
"""Orders in which the right numbers come, and the words for each."""


def find_order(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Detect an order of the elements, or of those of each row, that has a name."""
    for last_axis in (False, True):
        for kind, says, reorder in _ORDERS:
            evidence = _order_evidence(calls, reorder, last_axis)
            if evidence is not None:
                flat = all(len(pair[0].shape) == 1 for call in calls for pair in call.pairs)
                item = "element" if flat else "entry of each row" if last_axis else "row"
                whole = "one" if flat or not last_axis else "rows"
                yield HoldingRelation(kind, says.format(item=item, whole=whole), evidence)
                return


def _order_evidence(calls: list[ComparedCall], reorder: Reorder, last_axis: bool) -> int | None:
    """Count the numbers that show an order; None where one does not, or all have two items."""
    total, longest = 0, 0
    for call in calls:
        for expected, actual in call.pairs:
            if expected.shape != actual.shape or len(expected.shape) < 1 + last_axis:
                return None
            for wanted, got in zip(
                _series(expected, last_axis), _series(actual, last_axis), strict=True
            ):
                moved = reorder(wanted)
                if moved is None or not all(
                    are_alike(e, a, actual.dtype) for e, a in zip(moved, got, strict=True)
                ):
                    return None
                longest = max(longest, len(wanted))
                total += sum(
                    not are_alike(e, a, actual.dtype) for e, a in zip(wanted, moved, strict=True)
                )
    return total if longest > 2 else None


def _series(array: NumberArray, last_axis: bool) -> list[list[tuple[Number, ...]]]:
    """Return the rows as one series, or with `last_axis` each row of numbers as a series."""
    if not last_axis:
        return [array.rows()]
    width = array.shape[-1]
    count = len(array.values) // width if width else 0
    return [[(value,) for value in array.values[i * width :][:width]] for i in range(count)]


def find_permutation(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Detect the expected numbers in any other order."""
    evidence, is_sorted = 0, True
    if len(calls) < LEAST_CALLS:
        return
    for call in calls:
        for expected, actual in call.pairs:
            if expected.shape != actual.shape or Counter(map(_rounded, expected.values)) != Counter(
                map(_rounded, actual.values)
            ):
                return
            evidence += count_differing(expected.values, actual.values, actual.dtype)
            is_sorted = is_sorted and _is_sorted(actual.values)
    words = "sorted" if is_sorted else "in another order"
    yield HoldingRelation("permuted", f"has the expected numbers, {words}", evidence)


def _rounded(value: Number) -> str:
    return f"{value:.5g}"


def _is_sorted(values: Sequence[Number]) -> bool:
    real = [value for value in values if not isinstance(value, complex)]
    return len(real) == len(values) and all(a <= b for a, b in pairwise(real))
