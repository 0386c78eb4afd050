"""Tests the comparison of values: numbers, types, trees."""

from __future__ import annotations

import tracemalloc
from math import inf, nan
from typing import Any

import pytest

from builders import array, atom, pair, tree
from jaxtutor.core.data.values import ArrayValue, AtomValue, Leaf, Tree
from jaxtutor.core.judging.compare import (
    BLOCK,
    CAP_PLACES,
    begin_sentence,
    compare,
    compare_types,
    describe,
    difference_text,
    find_non_finite,
    numbers,
    type_text,
)


def differs(expected: Any, actual: Any, dtype: str = "float32") -> tuple[int, ...]:
    """Return where two arrays differ."""
    difference = compare(tree(expected, dtype), tree(actual, dtype))
    return difference.places if difference else ()


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    ("expected", "actual", "dtype"),
    [
        ([nan, 1.0], [nan, 1.0], "float32"),
        ([inf, -inf], [inf, -inf], "float32"),
        ([0.0], [-0.0], "float32"),
        ([1.0], [1.00005], "float32"),
        ([1e30], [1.00005e30], "float32"),
        ([0.0], [9e-6], "float32"),
        ([1.0], [1.0 + 9e-8], "float64"),
        ([1.0], [1.001], "float16"),
        ([1.0], [1.01], "bfloat16"),
        ([1.0], [1.1], "float8_e4m3fn"),
        ([1 + 2j], [1.00005 + 2j], "complex64"),
        ([complex(nan, 1)], [complex(nan, 1)], "complex64"),
        ([complex(inf, 1)], [complex(inf, 1)], "complex64"),
        ([True, False], [True, False], "bool"),
        ([2**62], [2**62], "int64"),
    ],
)
def test_near_values_are_equal(expected: Any, actual: Any, dtype: str) -> None:
    """Rounding of the dtype's own size does not count; NaN equals NaN, -0.0 equals 0.0."""
    assert differs(expected, actual, dtype) == ()


@pytest.mark.parametrize(
    ("expected", "actual", "dtype"),
    [
        ([nan], [1.0], "float32"),
        ([1.0], [nan], "float32"),
        ([inf], [-inf], "float32"),
        ([inf], [3e38], "float32"),
        ([3e38], [inf], "float32"),
        ([1.0], [1.001], "float32"),
        ([0.0], [1e-4], "float32"),
        ([1.0], [1.0 + 1e-6], "float64"),
        ([1.0], [1.01], "float16"),
        ([1.0], [1.1], "bfloat16"),
        ([1 + 2j], [1 + 2.1j], "complex64"),
        ([complex(nan, 1)], [complex(1, nan)], "complex64"),
        ([complex(inf, 1)], [complex(inf, 2)], "complex64"),
        ([True], [False], "bool"),
        ([7], [8], "int32"),
        ([2**62], [2**62 + 1], "int64"),
    ],
)
def test_other_values_differ(expected: Any, actual: Any, dtype: str) -> None:
    """A difference beyond the dtype's rounding is found, and integers are exact however large."""
    assert (0,) == differs(expected, actual, dtype)


def test_what_is_large_in_the_answer_excuses_nothing() -> None:
    """The tolerance grows with what was expected, not with what came."""
    difference = compare(tree([1.0]), tree([1e9]), (0.5, 0.0))

    assert difference is not None


def test_a_lessons_tolerance_replaces_ours() -> None:
    """A lesson may be stricter or more lenient than the dtype calls for."""
    expected, actual = tree([1.0]), tree([1.01])

    assert compare(expected, actual, (0.1, 0.0)) is None
    assert compare(tree([1.0]), tree([1.00005]), (1e-6, 0.0)) is not None


def test_a_tolerance_of_nothing_is_one() -> None:
    """A lesson that asks for exact answers gets them."""
    assert compare(tree([1.0]), tree([1.00001]), (0.0, 0.0)) is not None


def test_numbers_of_several_kinds_compare_by_value() -> None:
    """A Python number stated by a page stands for an array's; dtypes are another matter."""
    stated = Tree("*", (Leaf("", ArrayValue((), "int", True, "q", False, b"\3" + bytes(7))),))

    assert compare(stated, tree(3.0)) is None
    assert compare(stated, tree(4.0)) is not None


def test_every_place_is_counted_and_the_first_are_kept() -> None:
    """The count is of all elements that differ; places are capped."""
    size = CAP_PLACES + 50
    difference = compare(tree([0.0] * size), tree([1.0] * size))

    assert difference is not None
    assert size == difference.count
    assert tuple(range(CAP_PLACES)) == difference.places
    assert f"{size} of {size} elements differ" == difference.says


def test_places_are_counted_over_blocks() -> None:
    """An element far behind is found at its own index."""
    size = 3 * BLOCK + 5
    actual = [0.0] * size
    actual[BLOCK], actual[-1] = 1.0, 1.0

    assert (BLOCK, size - 1) == differs([0.0] * size, actual)


def test_places_of_complex_numbers_are_counted_over_blocks() -> None:
    """Numbers that travel as pairs are counted once each."""
    size = BLOCK + 5
    actual = [0j] * size
    actual[-1] = 1j

    assert (size - 1,) == differs([0j] * size, actual, "complex64")


def test_numbers_of_different_width_are_compared_in_step() -> None:
    """Blocks of a wide and of a narrow dtype are cut at the same elements."""
    size = 2 * BLOCK
    actual = [float(i) for i in range(size)]
    actual[-1] = 0.5
    difference = compare(tree(list(range(size)), "int64"), tree(actual))

    assert difference is not None
    assert (size - 1,) == difference.places


def test_large_equal_arrays_are_not_unpacked() -> None:
    """Of 16 MiB that differ in one element, one block is looked at number by number."""
    count = 4 * 2**20
    expected = ArrayValue((count,), "float32", False, "f", False, bytes(4 * count))
    actual = ArrayValue((count,), "float32", False, "f", False, bytes(4 * count - 1) + b"@")
    tracemalloc.start()
    places = differs_at(expected, actual)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert (count - 1,) == places
    assert peak < count  # a number made of each element would take 24 bytes and more


def test_numbers_are_made_when_they_are_looked_at() -> None:
    """To show the first elements of a large array costs nothing for the others."""
    count = 4 * 2**20
    large = ArrayValue((count,), "float32", False, "f", False, bytes(4 * count))
    tracemalloc.start()
    shown = list(numbers(large)[:3])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert [0.0, 0.0, 0.0] == shown
    assert peak < count


def differs_at(expected: ArrayValue, actual: ArrayValue) -> tuple[int, ...]:
    """Return where two leaves differ."""
    difference = compare(Tree("*", (Leaf("", expected),)), Tree("*", (Leaf("", actual),)))
    return difference.places if difference else ()


# ---------------------------------------------------------------- shapes, structures, the rest


def test_structure_comes_before_shape_and_shape_before_values() -> None:
    """The outermost difference is reported, because it explains the others."""
    expected = pair([1.0], [2.0])

    assert "expected a tuple (float32[1], float32[1]), got float32[1]" == says(
        expected, tree([9.0])
    )
    assert "at [1]: expected shape (1,), got (2,)" == says(expected, pair([1.0], [2.0, 3.0]))
    assert "at [1]: the value differs" == says(expected, pair([1.0], [3.0]))


def says(expected: Tree, actual: Tree) -> str:
    """Return how two trees differ, in words."""
    difference = compare(expected, actual)
    return difference_text(difference) if difference else ""


def test_a_scalar_is_no_vector_of_one() -> None:
    """Shapes () and (1,) differ although both hold one number."""
    assert "expected shape (), got (1,)" == says(tree(1.0), tree([1.0]))


def test_empty_arrays_of_one_shape_are_equal() -> None:
    """No elements, no difference; but the shape counts."""
    empty = Tree("*", (Leaf("", ArrayValue((0, 3), "float32", False, "f", False, b"")),))
    other = Tree("*", (Leaf("", ArrayValue((3, 0), "float32", False, "f", False, b"")),))

    assert compare(empty, empty) is None
    assert compare(empty, other) is not None


def test_what_is_no_array_is_compared_by_kind_and_text() -> None:
    """Strings and other objects are equal when they are written alike."""
    assert compare(atom("str", "'a'"), atom("str", "'a'")) is None
    assert "expected 'a', got 'b'" == says(atom("str", "'a'"), atom("str", "'b'"))
    assert "expected 'a', got float32[1]" == says(atom("str", "'a'"), tree([1.0]))


def test_a_missing_return_is_reported() -> None:
    """A function without a return gives None, and the sentence says it."""
    assert "expected float32[1], got None" == says(tree([1.0]), Tree("None", ()))


def test_arrays_too_large_to_send_never_pass() -> None:
    """Where the elements stayed behind, nobody can say that they are equal."""
    large = Tree("*", (Leaf("", ArrayValue((2**30,), "float32", False)),))

    assert "the array is too large to compare" == says(large, large)


# ---------------------------------------------------------------- types


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (array([1.0, 2.0]), "float32[2]"),
        (array(1.0), "float32[]"),
        (array([[1, 2]], "int32", weak=True), "~int32[1,2]"),
        (ArrayValue((), "float", True, "d", False, bytes(8)), "a Python float"),
        (AtomValue("str", "'a'"), "str"),
    ],
)
def test_types_are_written_as_jax_does(value: ArrayValue | AtomValue, text: str) -> None:
    """A weak type has a leading `~`; Python's own numbers are called so."""
    assert text == type_text(value)


def test_types_differ_by_dtype_shape_and_weakness() -> None:
    """What `compare` passes over is what `compare_types` looks at."""
    expected = tree([1.0])

    assert compare_types(expected, tree([2.0])) is None
    for other in (tree([1], "int32"), tree([1.0, 1.0]), tree([1.0], weak=True)):
        assert compare_types(expected, other) is not None
    assert compare_types(expected, tree([1.0], weak=True), weak=False) is None


def test_types_of_other_structure_differ() -> None:
    """Two leaves instead of one are reported as another structure."""
    difference = compare_types(tree([1.0]), pair([1.0], [1.0]))

    assert difference is not None
    assert "expected float32[1], got a tuple (float32[1], float32[1])" == difference.says


def test_a_tree_is_described_by_its_type_or_its_structure() -> None:
    """One leaf is its type; several are their structure."""
    assert "float32[2]" == describe(tree([1.0, 2.0]))
    assert "a tuple (float32[1], float32[1])" == describe(pair([1.0], [2.0]))


# ---------------------------------------------------------------- finite


@pytest.mark.parametrize("bad", [nan, inf, -inf])
def test_what_is_not_finite_is_found(bad: float) -> None:
    """NaN and both infinities are found, at their places."""
    difference = find_non_finite(pair([1.0], [1.0, bad]))

    assert difference is not None
    assert ("[1]", (1,), "1 of 2 elements are not finite") == (
        difference.path,
        difference.places,
        difference.says,
    )


def test_an_imaginary_part_can_be_infinite() -> None:
    """Both parts of a complex number are looked at."""
    assert find_non_finite(tree([complex(0, inf)], "complex64")) is not None


@pytest.mark.parametrize(
    "value", [tree([1.0, 3e38]), tree([1], "int32"), tree([True], "bool"), atom("str", "'nan'")]
)
def test_what_is_finite_is_passed_over(value: Tree) -> None:
    """Large numbers, integers and text are finite."""
    assert find_non_finite(value) is None


def test_a_sentence_begins_with_a_capital_letter_or_a_name() -> None:
    """The first word stays as it is where it is a name in the learner's program."""
    assert "The answer differs" == begin_sentence("the answer differs")
    assert "A leaf is missing" == begin_sentence("a leaf is missing")
    assert "f raises an ArithmeticError" == begin_sentence("f raises an ArithmeticError")
    assert "max_n is too small" == begin_sentence("max_n is too small")


def nested(structure: str, *leaves: tuple[str, float]) -> Tree:
    """Make a tree of numbers."""
    return Tree(structure, tuple(Leaf(path, array(value)) for path, value in leaves))


def test_the_place_in_which_two_structures_differ_is_named() -> None:
    """Inside of a structure, the first part that differs is named, and how long it is."""
    one = nested("(*, [*, *])", ("[0]", 1.0), ("[1][0]", 2.0), ("[1][1]", 3.0))
    other = nested("(*, [*])", ("[0]", 1.0), ("[1][0]", 2.0))
    deep = nested("(*, {'w': *})", ("[0]", 1.0), ("[1]['w']", 2.0))
    other_key = nested("(*, {'v': *})", ("[0]", 1.0), ("[1]['v']", 2.0))

    assert "at [1]: expected a list of length 2, got 1" == says(one, other)
    assert "at [1]: expected a list of length 2, got a dict of length 1" == says(one, deep)
    assert "at [1]: missing 'w'; not expected 'v'" == says(deep, other_key)


def test_names_that_come_twice_are_reported() -> None:
    """Of two lists with the same names, the one that stands there more than once is named."""

    def names(*texts: str) -> Tree:
        leaves = [Leaf(f"[{n}]", AtomValue("str", repr(text))) for n, text in enumerate(texts)]
        return Tree(f"[{', '.join('*' * len(texts))}]", tuple(leaves))

    assert "more than once: 'add'" == says(names("add", "mul"), names("add", "add", "mul"))
