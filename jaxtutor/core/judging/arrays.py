"""Writes arrays as text: numbers, clipped arrays, and the rows in which two arrays differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import isfinite, prod

from msgspec import Struct

from jaxtutor.core.data.values import ArrayValue, AtomValue, Leaf, Tree
from jaxtutor.core.data.verdicts import Difference
from jaxtutor.core.judging.compare import Number, describe, numbers, type_text

GAP = "…"
AROUND = 2
MOST_CELLS = 12
MOST_ROWS = 3
DIGITS = 6
ALL_DIGITS = 17
MOST_TOLD_APART = 64
"""Elements of an array up to which close numbers are written with more digits."""


class RowDiff(Struct, frozen=True):
    """One row along the last axis; cells of both sides, and which of them differ.

    `prefix` is the row's index, empty for a vector. A gap stands as one cell on both sides.
    A number without axes is one cell, and is written without brackets.
    """

    prefix: str
    is_number: bool
    expected: tuple[str, ...]
    actual: tuple[str, ...]
    marks: tuple[bool, ...]


def number_text(value: Number, digits: int = DIGITS) -> str:
    """Write a number shortly; a float always shows that it is one."""
    if isinstance(value, bool | int):
        return str(value)
    if isinstance(value, complex):
        sign = "" if str(value.imag).startswith("-") else "+"
        return f"{number_text(value.real, digits)}{sign}{number_text(value.imag, digits)}j"
    text = f"{value:.{digits}g}"
    return text if not isfinite(value) or "." in text or "e" in text else f"{text}.0"


def tree_text(tree: Tree, most: int = MOST_CELLS) -> str:
    """Write a tree in one line."""
    if tree.structure == "*" and len(tree.leaves) == 1:
        return leaf_text(tree.leaves[0].value, most)
    if not tree.leaves:
        return describe(tree)
    parts = [f"{leaf.path}: {leaf_text(leaf.value, most)}" for leaf in tree.leaves[:8]]
    return ", ".join(parts) + (f", {GAP}" if len(tree.leaves) > 8 else "")


def leaf_text(value: ArrayValue | AtomValue, most: int = MOST_CELLS, is_exact: bool = False) -> str:
    """Write a leaf with its elements clipped; where `is_exact`, close numbers look different."""
    if isinstance(value, AtomValue):
        return value.text
    if value.data is None:
        return type_text(value)
    held = numbers(value)
    digits = _digits_that_differ(held) if is_exact and len(held) <= MOST_TOLD_APART else DIGITS
    return _nested(held, value.shape, most, digits)


def _digits_that_differ(values: Sequence[Number]) -> int:
    """Return how many digits tell different numbers apart."""
    count = len(set(values))
    choices = range(DIGITS, ALL_DIGITS)
    texts = (len({number_text(v, digits) for v in set(values)}) for digits in choices)
    return next((d for d, n in zip(choices, texts, strict=False) if n == count), DIGITS)


def _nested(values: Sequence[Number], shape: tuple[int, ...], most: int, digits: int) -> str:
    if not shape:
        return number_text(values[0], digits) if values else "[]"
    if len(shape) == 1:
        items = [number_text(value, digits) for value in values[:most]]
        if len(values) > most:
            last = values[-(most // 2) :]
            items = [*items[: most // 2], GAP, *(number_text(value, digits) for value in last)]
        return f"[{', '.join(items)}]"
    step = prod(shape[1:])
    rows = [
        _nested(values[start : start + step], shape[1:], most, digits)
        for start in range(0, min(shape[0], 4) * step, step or 1)
    ]
    return f"[{', '.join(rows)}{', ' + GAP if shape[0] > 4 else ''}]"


def diff_leaf(expected: Tree, actual: Tree, difference: Difference) -> tuple[Leaf, Leaf] | None:
    """Return the two leaves that a difference speaks of, if both are arrays of one shape."""
    pairs = zip(expected.leaves, actual.leaves, strict=False)
    for wanted, got in pairs:
        if wanted.path == difference.path and _comparable(wanted, got):
            return wanted, got
    return None


def _comparable(wanted: Leaf, got: Leaf) -> bool:
    a, b = wanted.value, got.value
    return (
        isinstance(a, ArrayValue)
        and isinstance(b, ArrayValue)
        and a.shape == b.shape
        and a.data is not None
        and b.data is not None
    )


def diff_rows(
    expected: ArrayValue, actual: ArrayValue, places: Sequence[int]
) -> tuple[RowDiff, ...]:
    """Return the rows that differ, a few of them, long rows clipped around what differs."""
    return tuple(islice(_rows(expected, actual, set(places)), MOST_ROWS))


def count_rows(shape: tuple[int, ...], places: Sequence[int]) -> int:
    """Count the rows that differ."""
    width = shape[-1] if shape else 1
    return len({place // width for place in places})


def _rows(expected: ArrayValue, actual: ArrayValue, places: set[int]) -> Iterator[RowDiff]:
    left, right = numbers(expected), numbers(actual)
    width = expected.shape[-1] if expected.shape else 1
    for row in sorted({place // width for place in places}):
        start = row * width
        marked = [start + column in places for column in range(width)]
        shown = _around(marked)
        cells = [
            (GAP, GAP) if i is None else _cells(left[start + i], right[start + i], marked[i])
            for i in shown
        ]
        yield RowDiff(
            prefix=_row_prefix(expected.shape, row),
            is_number=not expected.shape,
            expected=tuple(ours for ours, _ in cells),
            actual=tuple(theirs for _, theirs in cells),
            marks=tuple(i is not None and marked[i] for i in shown),
        )


def _cells(expected: Number, actual: Number, differ: bool) -> tuple[str, str]:
    """Write two numbers, with as many digits as it takes to tell them apart if they differ."""
    for digits in range(DIGITS, ALL_DIGITS + 1):
        texts = number_text(expected, digits), number_text(actual, digits)
        if not differ or texts[0] != texts[1]:
            break
    return texts


def _around(marked: list[bool]) -> list[int | None]:
    """Choose the columns to show: those that differ and their neighbours; None is a gap."""
    near = [i for i in range(len(marked)) if any(marked[max(0, i - AROUND) : i + AROUND + 1])]
    if len(marked) <= MOST_CELLS:
        near = list(range(len(marked)))
    near = near[:MOST_CELLS]
    shown: list[int | None] = []
    for i in near:
        before = shown[-1] if shown else -1
        if before is not None and i != before + 1:
            shown.append(None)
        shown.append(i)
    if near and near[-1] != len(marked) - 1:
        shown.append(None)
    return shown


def _row_prefix(shape: tuple[int, ...], row: int) -> str:
    if len(shape) < 2:
        return ""
    index = []
    for size in reversed(shape[:-1]):
        row, place = divmod(row, size)
        index.append(str(place))
    return f"[{', '.join(reversed(index))}]"
