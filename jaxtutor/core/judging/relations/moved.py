"""Finds answers with the expected numbers in other places.

The axes are in another order, the elements are reversed, shifted, cut off or added at an end, or
the shape is another one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise, product

from jaxtutor.core.judging.compare import Number
from jaxtutor.core.judging.relations.calls import (
    ComparedCall,
    HoldingRelation,
    NumberArray,
    Predict,
    are_alike,
    are_equal,
    find_predicted,
)


def _permute(array: NumberArray, axes: tuple[int, ...]) -> NumberArray:
    """Return an array with its axes in another order."""
    shape = tuple(array.shape[axis] for axis in axes)
    steps = [math.prod(array.shape[axis + 1 :]) for axis in axes]
    values = tuple(
        array.values[sum(n * step for n, step in zip(index, steps, strict=True))]
        for index in product(*map(range, shape))
    )
    return NumberArray(array.path, shape, array.dtype, values)


def _in_order(order: Callable[[tuple[int, ...]], tuple[int, ...]]) -> Predict:
    def predict(array: NumberArray) -> NumberArray | None:
        return _permute(array, order(tuple(range(len(array.shape)))))

    return predict


_AXIS_ORDERS: tuple[tuple[str, Predict], ...] = (
    ("has its last two axes swapped", _in_order(lambda n: (*n[:-2], *n[-2:][::-1]))),
    ("has the first axis of the expected one last", _in_order(lambda n: (*n[1:], *n[:1]))),
    ("has the last axis of the expected one first", _in_order(lambda n: (*n[-1:], *n[:-1]))),
)
"""Orders of the axes; of a matrix, all are its transpose."""


def find_axis_order(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Detect axes in another order."""
    found = [
        one
        for says, order in _AXIS_ORDERS
        for one in find_predicted(calls, "transposed", says, order)
    ]
    if len(found) == len(_AXIS_ORDERS):
        says = "is the transpose of the expected one"
        yield HoldingRelation("transposed", says, found[0].evidence)
    elif len(found) == 1:
        yield found[0]


def _from_rows(array: NumberArray, rows: list[tuple[Number, ...]]) -> NumberArray:
    values = tuple(value for row in rows for value in row)
    return NumberArray(array.path, (len(rows), *array.shape[1:]), array.dtype, values)


def _reverse(array: NumberArray) -> NumberArray | None:
    return _from_rows(array, array.rows()[::-1]) if array.shape else None


def _mirror(array: NumberArray) -> NumberArray | None:
    """Reverse each row of a matrix."""
    if len(array.shape) != 2:
        return None
    return _from_rows(array, [row[::-1] for row in array.rows()])


def _without(first: bool) -> Predict:
    def predict(array: NumberArray) -> NumberArray | None:
        if not array.shape or array.shape[0] < 2:
            return None
        return _from_rows(array, array.rows()[1:] if first else array.rows()[:-1])

    return predict


def _repeat(place: int) -> Predict:
    """Predict the element at one place, as often as there are elements."""

    def predict(array: NumberArray) -> NumberArray | None:
        rows = array.rows() if array.shape else []
        return _from_rows(array, [rows[place]] * len(rows)) if rows else None

    return predict


def _pad_moved(to_front: bool) -> Predict:
    """Predict what a sequence with padding at one end is with the padding at the other."""

    def predict(array: NumberArray) -> NumberArray | None:
        if not array.shape or array.shape[0] < 2:
            return None
        rows = array.rows() if to_front else array.rows()[::-1]
        count = 0
        while count < len(rows) and rows[-1 - count] == rows[-1]:
            count += 1
        count = 0 if count == 1 and any(rows[-1]) else count % len(rows)
        moved = rows[len(rows) - count :] + rows[: len(rows) - count]
        return _from_rows(array, moved if to_front else moved[::-1])

    return predict


_MOVES: tuple[tuple[str, str, Predict], ...] = (
    ("reversed", "is the expected one in reverse order", _reverse),
    ("mirrored", "is the expected one with each row reversed", _mirror),
    ("first-missing", "lacks the first element of the expected one", _without(first=True)),
    ("last-missing", "lacks the last element of the expected one", _without(first=False)),
    ("repeated", "repeats the first element of the expected one", _repeat(0)),
    ("repeated-last", "repeats the last element of the expected one", _repeat(-1)),
    ("padded-front", "is padded at the front; expected at the end", _pad_moved(to_front=True)),
    ("padded-end", "is padded at the end; expected at the front", _pad_moved(to_front=False)),
)


_SYMMETRIC = ("reversed", "mirrored")
"""Moves that one call does not show: arguments from -a to a reverse many a wrong answer."""


def find_moves(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Detect the right elements in other places."""
    for kind, says, predict in _MOVES:
        if len(calls) > 1 or kind not in _SYMMETRIC:
            yield from find_predicted(calls, kind, says, predict)


def find_joined(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Detect parts of a table that are joined along the other axis."""
    for axis in (0, 1):
        for count in (2, 3, 4):
            says = f"joins its {count} parts along axis {axis}; expected along axis {1 - axis}"
            yield from find_predicted(calls, "joined", says, _joined(axis, count))


def _joined(axis: int, count: int) -> Predict:
    """Predict a table whose equal parts are joined along an axis, from the one with the other."""

    def predict(array: NumberArray) -> NumberArray | None:
        if len(array.shape) != 2 or array.shape[1 - axis] % count or not array.values:
            return None
        rows, long = array.rows(), array.shape[1 - axis] // count
        parts = range(count)
        if axis == 0:
            joined = [row[n * long : (n + 1) * long] for n in parts for row in rows]
        else:
            joined = [sum((rows[n * long + r] for n in parts), ()) for r in range(long)]
        shape = len(joined), len(joined[0])
        values = tuple(value for row in joined for value in row)
        return NumberArray(array.path, shape, array.dtype, values)

    return predict


def find_pairs(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Detect an axis too many, with the expected answer on the diagonal of two axes."""
    axes = {pair for call in calls for _, actual in call.pairs for pair in _like_axes(actual)}
    flipped = [ComparedCall(tuple((a, e) for e, a in call.pairs), ()) for call in calls]
    for first, second in sorted(axes):
        says = (
            f"pairs each element with each: axes {first} and {second} have one length, and the "
            "expected one stands where their indices are the same"
        )
        yield from find_predicted(flipped, "paired", says, _diagonal(first, second))


def _like_axes(array: NumberArray) -> Iterator[tuple[int, int]]:
    """Yield each two axes of one length; of length 1, they pair nothing."""
    for first, second in combinations(range(len(array.shape)), 2):
        if array.shape[first] == array.shape[second] != 1:
            yield first, second


def _diagonal(first: int, second: int) -> Predict:
    """Predict the elements whose indices along two axes are the same; the second axis goes."""

    def predict(array: NumberArray) -> NumberArray | None:
        if len(array.shape) <= second or array.shape[first] != array.shape[second]:
            return None
        places = zip(product(*map(range, array.shape)), array.values, strict=True)
        values = tuple(value for index, value in places if index[first] == index[second])
        shape = array.shape[:second] + array.shape[second + 1 :]
        return NumberArray(array.path, shape, array.dtype, values)

    return predict


def find_extra(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Detect one element more than expected, at one end."""
    flipped = [ComparedCall(tuple((a, e) for e, a in call.pairs), ()) for call in calls]
    for first, kind, where in ((True, "first-extra", "front"), (False, "last-extra", "end")):
        says = f"has one element more than expected, at the {where}"
        yield from find_predicted(flipped, kind, says, _without(first))


def find_cut(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Detect too many or too few elements at one end, in the answers that are wrong."""
    for at_end, end in ((True, "end"), (False, "front")):
        for is_extra, says in (
            (False, "lacks elements at the"),
            (True, "has extra elements at the"),
        ):
            evidence = _cut_evidence(calls, at_end, is_extra)
            if evidence:
                where = "" if _all_wrong(calls) else " wherever it is wrong"
                yield HoldingRelation(f"cut-{end}-{is_extra}", f"{says} {end}{where}", evidence)


def _all_wrong(calls: list[ComparedCall]) -> bool:
    return not any(all(are_equal(*pair) for pair in call.pairs) for call in calls)


def _cut_evidence(calls: list[ComparedCall], at_end: bool, is_extra: bool) -> int | None:
    total = 0
    for call in calls:
        for expected, actual in call.pairs:
            longer, shorter = (actual, expected) if is_extra else (expected, actual)
            if are_equal(expected, actual):
                continue
            count = len(shorter.values)
            if not longer.shape or longer.shape[1:] != shorter.shape[1:]:
                return None
            kept = longer.values[:count] if at_end else longer.values[-count:] if count else ()
            if count >= len(longer.values) or not are_alike(kept, shorter.values, actual.dtype):
                return None
            total += count
    return total


def find_shift(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Detect a sequence one step early or late; what stands in the free place does not matter."""
    late = "is one step late: each element is the one before the expected one"
    early = "is one step early: each element is the one after the expected one"
    for kind, says, step in (("late", late, 1), ("early", early, -1)):
        evidence = _shift_evidence(calls, step)
        if evidence is not None:
            yield HoldingRelation(kind, says, evidence)


def _shift_evidence(calls: list[ComparedCall], step: int) -> int | None:
    total = 0
    for call in calls:
        for expected, actual in call.pairs:
            if expected.shape != actual.shape or not expected.shape:
                return None
            wanted, got = expected.rows(), actual.rows()
            kept, seen = (wanted[:-1], got[1:]) if step == 1 else (wanted[1:], got[:-1])
            if not all(are_alike(e, a, actual.dtype) for e, a in zip(kept, seen, strict=True)):
                return None
            total += sum(not are_alike(e, a, actual.dtype) for e, a in pairwise(wanted))
    return total - 1  # one place is free, so that short sequences fit more easily by chance


def find_shape(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Detect the right numbers, in order, in another shape."""
    evidence = 0
    for call in calls:
        for expected, actual in call.pairs:
            if not are_alike(expected.values, actual.values, actual.dtype):
                return
            evidence += len(actual.values) if expected.shape != actual.shape else 0
    expected, actual = calls[0].pairs[0]
    if expected.shape == actual.shape:
        return
    if [n for n in actual.shape if n != 1] == [n for n in expected.shape if n != 1]:
        more = len(actual.shape) > len(expected.shape)
        says = f"{'has an extra' if more else 'lacks an'} axis of length 1"
    else:
        says = f"has the right numbers, in order, in another shape{_axes_words(calls)}"
    yield HoldingRelation("reshaped", says, evidence)


def _axes_words(calls: list[ComparedCall]) -> str:
    """Say how many axes there are and should be, where that is the same in all calls."""
    pairs = [pair for call in calls for pair in call.pairs]
    counts = {(len(actual.shape), len(expected.shape)) for expected, actual in pairs}
    got, wanted = min(counts)
    if len(counts) > 1 or got == wanted:
        return ""
    return f": it has {_count(got, 'axis', 'axes')}, expected {wanted}"


def _count(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"
