"""Tests arrays as text: numbers, shortened arrays, and rows with their differences."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import pytest

from builders import array, atom, pair, tree
from jaxtutor.core.data.values import ArrayValue, Tree
from jaxtutor.core.data.verdicts import Difference
from jaxtutor.core.judging.arrays import (
    GAP,
    MOST_CELLS,
    MOST_ROWS,
    RowDiff,
    count_rows,
    diff_leaf,
    diff_rows,
    leaf_text,
    number_text,
    tree_text,
)
from jaxtutor.core.judging.compare import compare


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.0"),
        (-0.0, "-0.0"),
        (0.1, "0.1"),
        (1e-7, "1e-07"),
        (1e20, "1e+20"),
        (123456.0, "123456.0"),
        (1234567.0, "1.23457e+06"),
        (nan, "nan"),
        (-inf, "-inf"),
        (3, "3"),
        (-(2**62), str(-(2**62))),
        (True, "True"),
        (1 + 2j, "1.0+2.0j"),
        (1 - 2j, "1.0-2.0j"),
        (complex(0, -0.0), "0.0-0.0j"),
        (complex(nan, inf), "nan+infj"),
    ],
)
def test_numbers_are_short_and_show_their_kind(value: Any, text: str) -> None:
    """A float always looks like a float, and an integer is never shortened."""
    assert text == number_text(value)


# ---------------------------------------------------------------- complete values


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (tree([1.0, 2.0]), "[1.0, 2.0]"),
        (tree(3.0), "3.0"),
        (tree([[1, 2], [3, 4]], "int32"), "[[1, 2], [3, 4]]"),
        (pair([1.0], [2.0]), "[0]: [1.0], [1]: [2.0]"),
        (atom("str", "'a'"), "'a'"),
        (Tree("None", ()), "None"),
    ],
)
def test_values_are_written_on_one_line(value: Tree, text: str) -> None:
    """Small values are written completely."""
    assert text == tree_text(value)


def test_long_vectors_lose_their_middle() -> None:
    """A long vector shows its ends."""
    assert f"[0, 1, {GAP}, 98, 99]" == leaf_text(array(list(range(100)), "int32"), most=4)


def test_tall_arrays_lose_their_end() -> None:
    """An array of many rows shows the first four."""
    rows = [[i] for i in range(9)]

    assert f"[[0], [1], [2], [3], {GAP}]" == leaf_text(array(rows, "int32"))


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0)])
def test_empty_arrays_have_a_text(shape: tuple[int, ...]) -> None:
    """An empty array is written as empty brackets."""
    text = leaf_text(ArrayValue(shape, "float32", False, "f", False, b""))

    assert set("[], ") >= set(text)
    assert "[" in text


def test_an_array_that_stayed_behind_is_its_type() -> None:
    """An array without its elements is shown by its type."""
    assert "float32[3]" == leaf_text(ArrayValue((3,), "float32", False))


def test_many_leaves_are_clipped() -> None:
    """A large pytree shows its first eight leaves."""
    leaf = pair([1.0], [2.0]).leaves[0]

    assert tree_text(Tree("[...]", (leaf,) * 20)).endswith(f", {GAP}")


# ---------------------------------------------------------------- rows


def rows_of(expected: Any, actual: Any, dtype: str = "float32") -> tuple[RowDiff, ...]:
    """Return the rows in which two arrays differ."""
    wanted, got = array(expected, dtype), array(actual, dtype)
    difference = compare(tree(expected, dtype), tree(actual, dtype))
    return diff_rows(wanted, got, difference.places if difference else ())


def test_a_short_row_is_shown_whole() -> None:
    """A short row shows every number, with the differences marked."""
    (row,) = rows_of([1.0, 2.0, 3.0], [1.0, 9.0, 3.0])

    assert (
        RowDiff("", False, ("1.0", "2.0", "3.0"), ("1.0", "9.0", "3.0"), (False, True, False))
        == row
    )


def test_a_long_row_is_clipped_around_what_differs() -> None:
    """A long row shows the neighbours of a difference, with a gap on each side."""
    expected = list(range(100))
    actual = [*range(50), -1, *range(51, 100)]
    (row,) = rows_of(expected, actual, "int32")

    assert (GAP, "48", "49", "50", "51", "52", GAP) == row.expected
    assert (GAP, "48", "49", "-1", "51", "52", GAP) == row.actual
    assert (False, False, False, True, False, False, False) == row.marks


def test_marks_at_the_ends_have_no_gap_beyond_them() -> None:
    """A gap appears only where numbers are left out."""
    actual = [-1, *range(1, 99), -1]
    (row,) = rows_of(list(range(100)), actual, "int32")

    assert ("-1", "1", "2", GAP, "97", "98", "-1") == row.actual


def test_a_row_that_differs_everywhere_is_cut() -> None:
    """A row with many differences is shortened, and a gap shows that there are more."""
    (row,) = rows_of([0] * 100, [1] * 100, "int32")

    assert MOST_CELLS + 1 == len(row.actual)
    assert GAP == row.actual[-1]


def test_rows_of_a_matrix_say_which_they_are() -> None:
    """Of a matrix, the rows that differ are shown with their index."""
    expected = [[1, 2], [3, 4], [5, 6]]
    rows = rows_of(expected, [[1, 2], [3, 9], [9, 6]], "int32")

    assert ["[1]", "[2]"] == [row.prefix for row in rows]
    assert [(False, True), (True, False)] == [row.marks for row in rows]


def test_rows_of_three_dimensions_have_two_indices() -> None:
    """A row of a three-dimensional array has two indices."""
    expected = [[[0, 0], [0, 0], [0, 0]], [[0, 0], [0, 0], [0, 0]]]
    rows = rows_of(expected, [[[0, 0], [0, 0], [0, 0]], [[0, 0], [0, 0], [7, 0]]], "int32")

    assert ["[1, 2]"] == [row.prefix for row in rows]


def test_a_scalar_is_a_row_of_one() -> None:
    """Two scalars are shown one above the other."""
    assert (RowDiff("", True, ("1.0",), ("2.0",), (True,)),) == rows_of(1.0, 2.0)


def test_few_rows_are_shown_and_all_are_counted() -> None:
    """The first rows that differ are shown, and all of them are counted."""
    rows = rows_of([[0]] * 9, [[1]] * 9, "int32")

    assert MOST_ROWS == len(rows)
    assert 9 == count_rows((9, 1), tuple(range(9)))


def test_numbers_that_look_alike_are_written_out() -> None:
    """Two numbers that are marked as different are never written the same."""
    (row,) = rows_of([100000.0, 1.0], [100000.1, 1.0], "float64")

    assert ("100000.0", "1.0") == row.expected
    assert ("100000.1", "1.0") == row.actual


def test_gaps_are_never_marked() -> None:
    """A mark is placed below a number, never below a gap."""
    (row,) = rows_of([0] * 100, [0] * 50 + [1] + [0] * 49, "int32")

    assert {False} == {
        mark for cell, mark in zip(row.actual, row.marks, strict=True) if cell == GAP
    }


# ---------------------------------------------------------------- leaves


def test_the_leaf_that_differs_is_found_by_its_path() -> None:
    """A difference's path leads to the two leaves."""
    expected, actual = pair([1.0], [2.0]), pair([1.0], [3.0])
    leaves = diff_leaf(expected, actual, Difference("[1]", "differs", (0,), 1))

    assert (expected.leaves[1], actual.leaves[1]) == leaves


@pytest.mark.parametrize("actual", [tree([1.0, 2.0]), atom("str", "'a'")])
def test_leaves_that_cannot_be_set_side_by_side_are_none(actual: Tree) -> None:
    """Leaves of different shapes have no rows to compare."""
    assert diff_leaf(tree([1.0]), actual, Difference("", "differs")) is None


def test_close_numbers_of_an_argument_look_different() -> None:
    """Two logits that differ in the seventh digit are not both written as 1.0."""
    close = array([1.0, 1.0000001192092896, 2.0])

    assert "[1.0, 1.0, 2.0]" == leaf_text(close)
    assert "[1.0, 1.0000001, 2.0]" == leaf_text(close, is_exact=True)
    assert "[0.333333, nan, 1.0]" == leaf_text(array([1 / 3, nan, 1.0]), is_exact=True)
