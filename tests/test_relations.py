"""Tests of the relations between wrong answers and expected ones."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from builders import array, pair
from jaxtutor.core.data.values import ArrayValue, Leaf, Tree
from jaxtutor.core.judging.relations import Comparison, calls, find_relation
from jaxtutor.core.judging.relations.calls import LARGEST, arrays_of

Rows = list[list[float]]
DRAWS = 1_000


def tree(value: Any, dtype: str = "float32") -> Tree:
    """Make a tree of one array."""
    return Tree("*", (Leaf("", array(value, dtype)),))


def arguments(**values: Any) -> Tree:
    """Make the arguments of a call, by name."""
    return Tree("", tuple(Leaf(name, array(value)) for name, value in values.items()))


def numbers(rng: random.Random, count: int) -> list[float]:
    """Draw numbers that no relation ties together."""
    return [round(rng.uniform(-9, 9), 3) for _ in range(count)]


def matrix(rng: random.Random, rows: int, columns: int) -> Rows:
    """Draw a matrix."""
    return [numbers(rng, columns) for _ in range(rows)]


def vectors(seed: int = 0, count: int = 5) -> list[list[float]]:
    """Draw some expected answers of different lengths."""
    rng = random.Random(seed)
    return [numbers(rng, rng.randint(3, 6)) for _ in range(count)]


def kind(expected: Sequence[Any], change: Callable[[Any], Any]) -> str | None:
    """Name the relation between answers and what a change turns them into."""
    found = find_relation([Comparison(tree(e), tree(change(e))) for e in expected])
    return found.kind if found else None


def mapped(function: Callable[[float], float]) -> Callable[[list[float]], list[float]]:
    """Change each number of a vector."""
    return lambda values: [function(value) for value in values]


@pytest.mark.parametrize(
    ("wanted", "change"),
    [
        ("scaled", mapped(lambda v: v / 8)),
        ("opposite", mapped(lambda v: -v)),
        ("scaled", mapped(lambda v: v * 0.707)),
        ("offset", mapped(lambda v: v + 1)),
        ("offset", mapped(lambda v: v - 0.25)),
        ("square", mapped(lambda v: v * v)),
        ("exponential", mapped(math.exp)),
        ("absolute", mapped(abs)),
        ("rounded", mapped(round)),
        ("truncated", mapped(math.trunc)),
        ("floored", mapped(math.floor)),
        ("reversed", lambda v: v[::-1]),
        ("late", lambda v: [7.77, *v[:-1]]),
        ("early", lambda v: [*v[1:], 7.77]),
        ("repeated", lambda v: [v[0]] * len(v)),
        ("repeated-last", lambda v: [v[-1]] * len(v)),
        ("first-missing", lambda v: v[1:]),
        ("last-missing", lambda v: v[:-1]),
        ("first-extra", lambda v: [7.77, *v]),
        ("last-extra", lambda v: [*v, 7.77]),
        ("reshaped", lambda v: [[x] for x in v]),
        ("permuted", sorted),
        ("constant", lambda v: [0.0] * len(v)),
        ("constant", lambda v: [math.nan] * len(v)),
    ],
)
def test_a_relation_is_found(wanted: str, change: Callable[[Any], Any]) -> None:
    """A change that is made to every answer is named."""
    assert [wanted] * 20 == [kind(vectors(seed), change) for seed in range(20)]


def test_zeros_are_named_where_one_call_expects_ones() -> None:
    """A gradient of zeros is named in a single call, even if all expected numbers are the same."""
    found = find_relation([Comparison(tree([1.0] * 6), tree([0.0] * 6))], "gradient")
    assert found is not None
    assert found.says == "In this call your gradient is 0 everywhere."


def test_a_transposed_matrix_is_found() -> None:
    """Rows that became columns are a transpose, square or not."""
    rng = random.Random(1)
    for rows, columns in ((2, 3), (3, 3), (4, 2)):
        expected = [matrix(rng, rows, columns) for _ in range(3)]
        assert kind(expected, lambda m: [list(row) for row in zip(*m, strict=True)]) == "transposed"


def test_an_answer_that_pairs_each_element_with_each_is_found() -> None:
    """The expected answer is the diagonal of a table: a column met a row, or batches crossed."""
    rng = random.Random(1)
    x, y = numbers(rng, 4), numbers(rng, 4)
    expected = [a - b for a, b in zip(x, y, strict=True)]
    table = [[a - b for a in x] for b in y]
    found = find_relation([Comparison(tree(expected), tree(table))])
    assert found is not None
    assert (
        "In this call your answer pairs each element with each: axes 0 and 1 have one length, and "
        "the expected one stands where their indices are the same." == found.says
    )


def test_a_batch_that_crosses_another_is_found_among_calls_that_are_right() -> None:
    """The two axes may be any, and calls without a batch are right."""
    rng = random.Random(4)
    comparisons = [Comparison(tree(v), tree(v)) for v in vectors()]
    for count in (2, 3):
        crossed = [[numbers(rng, 3) for _ in range(count)] for _ in range(count)]
        own = [crossed[n][n] for n in range(count)]
        comparisons.append(Comparison(tree(own), tree(crossed)))
    found = find_relation(comparisons)
    assert found is not None
    assert found.kind == "paired"


def test_axes_of_length_one_pair_nothing() -> None:
    """Where two axes have length 1, the answer has an axis of length 1 too many."""
    expected = [[[v] for v in values] for values in vectors()]
    assert kind(expected, lambda v: [[x] for x in v]) == "reshaped"


def test_padding_at_the_other_end_is_found() -> None:
    """The padding may have another length in each call."""
    expected = [[1.5, 2.5, 0.0, 0.0], [3.0, 0.0, 0.0, 0.0], [4.0, 5.5, 6.0, 0.0]]

    def to_front(values: list[float]) -> list[float]:
        kept = [v for v in values if v]
        return [0.0] * (len(values) - len(kept)) + kept

    assert kind(expected, to_front) == "padded-front"


def test_a_factor_is_explained_by_a_length() -> None:
    """A factor that varies with the number of rows is reported as the length of that axis."""
    rng = random.Random(2)
    comparisons = []
    for rows in (2, 5, 8):
        x, expected = matrix(rng, rows, 3), numbers(rng, 3)
        wrong = [value / rows for value in expected]
        comparisons.append(Comparison(tree(expected), tree(wrong), arguments(x=x)))
    found = find_relation(comparisons, "gradient")
    assert found is not None
    assert (
        "In all 3 calls your gradient is the expected one divided by the length of axis 0 of `x`."
        == found.says
    )


def test_swapped_parts_are_found() -> None:
    """Two parts of an answer that stand in each other's place are named."""
    rng = random.Random(3)
    values = [(numbers(rng, 3), numbers(rng, 3)) for _ in range(3)]
    found = find_relation([Comparison(pair(a, b), pair(b, a)) for a, b in values])
    assert found is not None
    assert "In all 3 calls `[0]` and `[1]` of your answer are swapped." == found.says


def test_the_only_wrong_part_is_named() -> None:
    """Parts that are right in every call are left out."""
    rng = random.Random(4)
    values = [(numbers(rng, 3), numbers(rng, 3)) for _ in range(3)]
    found = find_relation([Comparison(pair(a, b), pair(a, [2 * x for x in b])) for a, b in values])
    assert found is not None
    assert "In all 3 calls `[1]` of your answer is the expected one multiplied by 2." == found.says


def test_the_only_wrong_part_is_named_where_trees_differ() -> None:
    """A right loss beside a gradient that is a tree in some calls does not hide its factor."""

    def pair_of(loss: float, *gradients: float) -> Tree:
        keys = [""] if len(gradients) == 1 else [f"['{n}']" for n in range(len(gradients))]
        leaves = [Leaf(f"[1]{key}", array([it])) for key, it in zip(keys, gradients, strict=True)]
        return Tree("", (Leaf("[0]", array([loss])), *leaves))

    drawn = [(1.5, (2.5,)), (2.0, (3.0, -4.5)), (0.5, (6.25, 1.25))]
    made = [Comparison(pair_of(a, *b), pair_of(a, *(8 * v for v in b))) for a, b in drawn]
    found = find_relation(made)
    assert found is not None
    says = "In all 3 calls `[1]` of your answer is the expected one multiplied by 8."
    assert says == found.says


def test_an_argument_that_is_returned_is_found() -> None:
    """An answer that is an argument is called unchanged."""
    rng = random.Random(5)
    drawn = [(numbers(rng, 4), numbers(rng, 4)) for _ in range(3)]
    found = find_relation([Comparison(tree(e), tree(x), arguments(x=x)) for e, x in drawn])
    assert found is not None
    assert "In all 3 calls your answer is `x`, unchanged." == found.says


def test_a_step_in_the_opposite_direction_is_found() -> None:
    """Parameters that move with the gradient, where they should move against it, are named."""
    rng = random.Random(5)
    made = []
    for _ in range(3):
        w, g = numbers(rng, 3), numbers(rng, 3)
        wanted, got = ([a + s * b for a, b in zip(w, g, strict=True)] for s in (-0.1, 0.1))
        made.append(Comparison(tree(wanted), tree(got), arguments(params=w, grads=g)))
    found = find_relation(made)
    assert found is not None
    says = "changes `params`, and the change is the opposite of the expected one"
    assert f"In all 3 calls your answer {says}." == found.says


def test_a_root_of_n_against_n_minus_1_is_found() -> None:
    """A deviation that divides by n - 1 is explained by the length."""
    rng = random.Random(6)
    made = []
    for n in (3, 5, 9):
        wanted = numbers(rng, n)
        factor = math.sqrt((n - 1) / n)
        got = [factor * value for value in wanted]
        made.append(Comparison(tree(wanted), tree(got), arguments(m=numbers(rng, n))))
    found = find_relation(made)
    assert found is not None
    says = "the square root of (n - 1) / n, where n is the length of axis 0 of `m`"
    assert f"In all 3 calls your answer is the expected one multiplied by {says}." == found.says


def test_a_reduction_over_the_other_axis_is_found() -> None:
    """A sum over rows in place of columns is named, with both axes."""
    rng = random.Random(6)
    drawn = [matrix(rng, 3, 3) for _ in range(3)]
    comparisons = [
        Comparison(
            tree([sum(row) for row in m]),
            tree([sum(column) for column in zip(*m, strict=True)]),
            arguments(m=m),
        )
        for m in drawn
    ]
    found = find_relation(comparisons)
    assert found is not None
    assert (
        "In all 3 calls your answer is the sum of `m` over axis 0; expected over axis 1."
        == found.says
    )


def test_elements_of_one_kind_are_named() -> None:
    """An answer that is wrong exactly for negative elements says so."""
    drawn = [[1.0, -2.0, 3.0, -4.0], [-5.0, 6.0, 7.5, 0.5]]
    comparisons = [
        Comparison(
            tree([abs(v) for v in x]), tree([v * v if v < 0 else v for v in x]), arguments(x=x)
        )
        for x in drawn
    ]
    found = find_relation(comparisons)
    assert found is not None
    assert "In both calls your answer is wrong only where `x` is negative." == found.says


def test_a_relation_that_one_call_contradicts_is_not_reported() -> None:
    """A right answer among doubled ones forbids to speak of a factor."""
    comparisons = [Comparison(tree(v), tree([2 * x for x in v])) for v in vectors()]
    right = Comparison(tree([1.0, 2.0, 4.0]), tree([1.0, 2.0, 4.0]))
    assert find_relation([*comparisons, right]) is None


def test_two_numbers_are_no_evidence() -> None:
    """A factor that two numbers show may be chance."""
    assert find_relation([Comparison(tree([1.0, 3.0]), tree([2.0, 6.0]))]) is None


def test_what_is_not_an_array_gets_no_message() -> None:
    """A tree without numbers has no relation."""
    empty = Tree("*", ())
    assert find_relation([Comparison(empty, empty)]) is None
    assert find_relation([]) is None


def unrelated(rng: random.Random) -> list[Comparison]:
    """Draw calls whose answers have nothing to do with the expected ones."""
    comparisons = []
    whole = rng.random() < 0.3  # small whole numbers coincide more often
    for _ in range(rng.randint(1, 5)):
        count = rng.randint(1, 6)

        def draw(count: int = count) -> list[float]:
            return (
                [float(rng.randint(0, 9)) for _ in range(count)] if whole else numbers(rng, count)
            )

        given = arguments(x=draw(), n=draw(1)[0])
        comparisons.append(Comparison(tree(draw()), tree(draw()), given))
    return comparisons


@pytest.mark.parametrize("seed", [7, *(pytest.param(n, marks=pytest.mark.slow) for n in range(10))])
def test_unrelated_answers_have_no_relation(seed: int) -> None:
    """Of a thousand draws of unrelated answers none is given a relation; with --slow, of 11,000."""
    rng = random.Random(seed)
    found = [(drawn, find_relation(drawn)) for drawn in (unrelated(rng) for _ in range(DRAWS))]
    assert [] == [(drawn, relation) for drawn, relation in found if relation is not None][:3]


def table(values: list[float], columns: int) -> Rows:
    """Cut a list of numbers into rows."""
    return [values[n : n + columns] for n in range(0, len(values), columns)]


@pytest.mark.parametrize(
    ("says", "change"),
    [
        (
            "has the last row of the expected one first",
            lambda m: m[-1:] + m[:-1],
        ),
        (
            "has the first entry of each row of the expected one last",
            lambda m: [row[1:] + row[:1] for row in m],
        ),
        (
            "has the two halves of the expected rows swapped",
            lambda m: [row[2:] + row[:2] for row in m],
        ),
        (
            "takes turns between the two halves of the expected rows",
            lambda m: [[row[0], row[2], row[1], row[3]] for row in m],
        ),
    ],
)
def test_an_order_along_an_axis_is_named(says: str, change: Callable[[Rows], Rows]) -> None:
    """Rolled, halved and interleaved rows have the right numbers in an order with a name."""
    rng = random.Random(21)
    drawn = [table(numbers(rng, 4 * rows), 4) for rows in (3, 5, 3)]
    found = find_relation([Comparison(tree(m), tree(change(m))) for m in drawn])
    assert found is not None
    assert f"In all 3 calls your answer {says}." == found.says


def test_parts_joined_along_the_other_axis_are_found() -> None:
    """Sines below cosines, where they should stand beside them, are named."""
    rng = random.Random(31)
    made = []
    for rows, columns in ((2, 3), (4, 1), (3, 2)):
        first, second = matrix(rng, rows, columns), matrix(rng, rows, columns)
        beside = [a + b for a, b in zip(first, second, strict=True)]
        made.append((beside, first + second))
    found = find_relation([Comparison(tree(e), tree(a)) for e, a in made])
    back = find_relation([Comparison(tree(e), tree(a)) for a, e in made])
    assert found is not None
    assert back is not None
    says = "In all 3 calls your answer joins its 2 parts along axis {}; expected along axis {}."
    assert says.format(0, 1) == found.says
    assert says.format(1, 0) == back.says


def test_a_moved_axis_and_a_transpose_are_distinguished() -> None:
    """With three axes, the sentence says which axis stands elsewhere."""
    rng = random.Random(22)
    drawn = [[matrix(rng, 3, 4) for _ in range(2)] for _ in range(3)]
    swapped = [[[list(column) for column in zip(*m, strict=True)] for m in cube] for cube in drawn]
    found = find_relation(
        [Comparison(tree(e), tree(a)) for e, a in zip(drawn, swapped, strict=True)]
    )
    assert found is not None
    assert "In all 3 calls your answer has its last two axes swapped." == found.says


def compared(
    change: Callable[[float, float], float], whole: bool = False, seed: int = 23
) -> list[Comparison]:
    """Change each expected number with the argument's in its place."""
    rng = random.Random(seed)
    made = []
    for _ in range(4):
        expected, x = numbers(rng, 5), numbers(rng, 5)
        if whole:
            expected, x = [round(v) for v in expected], [round(v) for v in x]
        actual = [change(e, v) for e, v in zip(expected, x, strict=True)]
        made.append(Comparison(tree(expected), tree(actual), arguments(x=x)))
    return made


@pytest.mark.parametrize(
    ("says", "change"),
    [
        ("is the expected one plus `x`", lambda e, x: e + x),
        ("is the expected one minus `x`", lambda e, x: e - x),
        ("is the expected one multiplied by `x`", lambda e, x: e * x),
        (
            "is wrong only where `x` is negative, and there it is the expected one plus `x`",
            lambda e, x: e + x if x < 0 else e,
        ),
        ("is the unchanged `x` wherever it is wrong", lambda e, x: x if e < 2 else e),
        ("is NaN wherever it is wrong", lambda e, _: math.nan if e < 2 else e),
    ],
)
def test_an_argument_in_the_answer_is_found(
    says: str, change: Callable[[float, float], float]
) -> None:
    """An argument that was added, or stands in the place of the answer, is named."""
    found = find_relation(compared(change))
    assert found is not None
    assert f"In all 4 calls your answer {says}." == found.says


def test_the_wrong_padding_is_named() -> None:
    """One number in the place of another is reported with both."""
    expected = [[3.0, 8.0, -1.0, -1.0], [5.0, -1.0, -1.0, -1.0], [2.0, 9.0, 4.0, -1.0]]
    actual = [[0.0 if v == -1 else v for v in row] for row in expected]
    found = find_relation(
        [Comparison(tree(e), tree(a)) for e, a in zip(expected, actual, strict=True)]
    )
    assert found is not None
    assert "In all 3 calls your answer is 0 instead of -1 wherever it is wrong." == found.says


def test_a_remainder_that_is_lost_is_found() -> None:
    """Answers cut by different counts lack elements at the end; right ones may be among them."""
    expected = [vectors(seed, 1)[0] for seed in range(6)]
    actual = [v[: len(v) // 3 * 3] for v in expected]
    pairs = [(e, a) for e, a in zip(expected, actual, strict=True)]
    assert {len(e) - len(a) for e, a in pairs} == {0, 1, 2}
    found = find_relation([Comparison(tree(e), tree(a)) for e, a in pairs])
    assert found is not None
    assert (
        "In all 6 calls your answer lacks elements at the end wherever it is wrong." == found.says
    )


def listed(*values: list[float]) -> Tree:
    """Make a tree whose second part is a list of arrays."""
    inner = ", ".join("*" * len(values))
    leaves = [Leaf("[0]", array([1.5]))]
    leaves += [Leaf(f"[1][{n}]", array(value)) for n, value in enumerate(values)]
    return Tree(f"(*, [{inner}])", tuple(leaves))


def test_rows_in_a_list_are_named_in_place_of_an_array() -> None:
    """A list of the expected array's rows is named; a list of other rows is not."""
    rng = random.Random(8)
    tables = [matrix(rng, rows, 3) for rows in (2, 4)]

    def listed(rows: Rows) -> Tree:
        return Tree("[*]", tuple(Leaf(f"[{n}]", array(row)) for n, row in enumerate(rows)))

    found = find_relation([Comparison(tree(rows), listed(rows)) for rows in tables])
    other = find_relation([Comparison(tree(rows), listed(rows[::-1])) for rows in tables])

    assert found is not None
    assert "listed" == found.kind
    assert "In both calls your answer is a list of the expected array's rows: `jnp.stack`" in (
        found.says
    )
    assert other is None


def test_an_array_too_many_in_a_list_is_named() -> None:
    """Of a list in the answer, the sentence says at which end an array is surplus or missing."""
    rng = random.Random(24)
    drawn = [[numbers(rng, 3) for _ in range(n)] for n in (2, 3)]
    extra = find_relation([Comparison(listed(*v), listed([9.5], *v)) for v in drawn])
    short = find_relation([Comparison(listed(*v), listed(*v[:-1])) for v in drawn])
    assert extra is not None
    assert short is not None
    assert (
        "In both calls `[1]` of your answer holds one array too many, its first one." == extra.says
    )
    assert "In both calls `[1]` of your answer lacks its last array." == short.says


def paired(*values: list[float]) -> Tree:
    """Make a tuple of arrays."""
    leaves = tuple(Leaf(f"[{n}]", array(value)) for n, value in enumerate(values))
    return Tree(f"({', '.join('*' * len(values))})", leaves)


def test_the_expected_answer_inside_a_tuple_is_found() -> None:
    """If a function returns value and derivative, the message says which was expected."""
    drawn = [(numbers(random.Random(n), 3), numbers(random.Random(9 + n), 3)) for n in (1, 2)]
    inside = find_relation([Comparison(tree(b), paired(a, b)) for a, b in drawn])
    alone = find_relation([Comparison(paired(a, b), tree(a)) for a, b in drawn])
    single = find_relation([Comparison(tree(a), paired(a)) for a, _ in drawn])
    other = find_relation([Comparison(tree([9.0, 9.0, 9.0]), paired(a, b)) for a, b in drawn])

    assert inside is not None
    assert alone is not None
    assert single is not None
    assert other is None
    assert "In both calls the expected answer is `[1]` of what you return." == inside.says
    assert "In both calls your answer is only `[0]` of the expected one." == alone.says
    assert "In both calls the expected answer is `[0]` of what you return." == single.says


def test_a_tuple_around_some_answers_is_named() -> None:
    """Where only the wrong answers are inside a tuple, the sentence is about those calls."""
    rng = random.Random(9)
    one, two, three, four = (numbers(rng, 4) for _ in range(4))
    wrapped = [
        Comparison(tree(values), Tree("(*,)", (Leaf("[0]", array(values)),)))
        for values in (one, two)
    ]
    right = [Comparison(pair(three, four), pair(three, four))]
    found = find_relation([*wrapped, *right])

    assert found is not None
    assert (
        "In the 2 calls with a wrong answer, the expected answer is `[0]` of what you return."
        == found.says
    )


def test_a_number_that_decides_which_calls_are_wrong_is_named() -> None:
    """Where exactly the calls with a true flag are wrong, the flag is named."""
    made = []
    for n, v in enumerate(vectors(25, 6)):
        flag = bool(n % 2)
        wrong = [x * x + n for x in v] if flag else v
        given = Tree("", (Leaf("flag", array(flag, "bool")),))
        made.append(Comparison(tree(v), tree(wrong), given))
    found = find_relation(made)
    assert found is not None
    assert "In all 6 calls your answer is wrong exactly where `flag` is true." == found.says


def test_an_argument_of_ones_is_not_called_the_answer() -> None:
    """A gradient of ones is not the argument because that holds ones too."""
    ones = [[1.0, 1.0], [1.0, 1.0]]
    zeros = [[0.0, 0.0], [0.0, 0.0]]
    assert find_relation([Comparison(tree(zeros), tree(ones), arguments(x=ones))]) is None


def test_two_lengths_explain_factors_without_a_number_to_spare() -> None:
    """Factors that vary with a length are not read from the answers: three of them are enough."""
    rng = random.Random(26)
    made = []
    for rows in (2, 7, 3):
        x, expected = numbers(rng, rows), rng.uniform(1, 9)
        made.append(Comparison(tree(expected), tree(expected * rows), arguments(x=x)))
    found = find_relation(made)
    assert found is not None
    assert (
        "In all 3 calls your answer is the expected one multiplied by the length of axis 0 of `x`."
        == found.says
    )


def test_wrong_calls_may_stand_among_right_ones() -> None:
    """If only some calls are wrong, and all of those are transposed, the message says so."""
    rng = random.Random(27)
    made = []
    for n in range(5):
        m = matrix(rng, 2, 3)
        wrong = [list(column) for column in zip(*m, strict=True)] if n % 2 else m
        made.append(Comparison(tree(m), tree(wrong)))
    found = find_relation(made)
    assert found is not None
    assert (
        "In the 2 calls with a wrong answer, your answer is the transpose of the expected one."
        == found.says
    )


def test_one_call_does_not_show_a_reversal() -> None:
    """A symmetric argument reverses many a wrong answer, so that one call shows nothing."""
    values = [0.0, 0.25, 0.5, 0.875]
    assert find_relation([Comparison(tree(values), tree(values[::-1]))]) is None


def test_a_plain_factor_needs_three_numbers() -> None:
    """Of numbers that are not whole, three are enough for a factor of 2 and too few for 2.3."""
    values = [1.37, 2.81, -4.13]
    doubled = find_relation([Comparison(tree(v), tree(2 * v)) for v in values])
    assert doubled is not None
    assert "In all 3 calls your answer is the expected one multiplied by 2." == doubled.says
    assert find_relation([Comparison(tree(v), tree(2.3 * v)) for v in values]) is None


def test_swapped_parts_may_be_trees() -> None:
    """A gradient in the place of the loss is found, whatever the gradient is built like."""

    def made(loss: float, grads: list[list[float]], swapped: bool) -> Tree:
        inner = [Leaf(f"[{int(not swapped)}][{n}]", array(g)) for n, g in enumerate(grads)]
        alone = Leaf(f"[{int(swapped)}]", array(loss))
        return Tree("", tuple([*inner, alone] if swapped else [alone, *inner]))

    rng = random.Random(28)
    drawn = [(rng.uniform(1, 9), [numbers(rng, 2) for _ in range(n)]) for n in (1, 2, 3)]
    found = find_relation([Comparison(made(*it, False), made(*it, True)) for it in drawn])
    assert found is not None
    assert "In all 3 calls the two parts of your answer are swapped." == found.says


def test_a_constant_beside_zeros_is_not_an_offset() -> None:
    """Ones where zeros are expected may as well be ones everywhere."""
    zeros, ones = [0.0] * 6, [1.0] * 6
    assert find_relation([Comparison(tree(zeros), tree(ones))]) is None


@pytest.mark.parametrize(
    ("actual", "wanted"),
    [
        ([-1.0, 2.0, -math.inf, math.nan, -4.0], "opposite"),
        ([2.0, -4.0, math.inf, math.nan, 8.0], "scaled"),
        ([-1.0, 2.0, math.inf, math.nan, -4.0], None),
        ([-1.0, 2.0, -math.inf, 0.0, -4.0], None),
        ([-1.0, 2.0, -9.0, math.nan, -4.0], None),
    ],
)
def test_a_factor_holds_at_infinity(actual: list[float], wanted: str | None) -> None:
    """An infinity takes the sign of the factor, and NaN stays; another number has no factor."""
    expected = [1.0, -2.0, math.inf, math.nan, 4.0]
    two = [Comparison(tree(expected), tree(actual))] * 2
    endless = Comparison(tree([math.inf, math.nan]), tree([-math.inf, math.nan]))

    for items in (two, [*two, endless]):
        found = find_relation(items)
        assert wanted == (found.kind if found else None)


def test_a_large_call_does_not_hide_the_relation_of_the_others() -> None:
    """Calls with large arrays are left out, and the sentence says so."""
    large = Comparison(tree([1.0] * (LARGEST + 1)), tree([2.0] * (LARGEST + 1)))
    halved = [Comparison(tree(e), tree([n / 2 for n in e])) for e in vectors()]

    says = [find_relation(items) for items in ([*halved, large], [halved[0], large])]
    assert [
        "In the 5 calls with small arrays your answer is the expected one divided by 2.",
        "In the smallest call your answer is the expected one divided by 2.",
    ] == [found.says if found else "" for found in says]
    assert find_relation([large]) is None


def test_a_large_answer_is_not_turned_into_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer with more elements than are looked at costs nothing, whatever its size."""
    turned: list[tuple[int, ...]] = []

    def note(value: ArrayValue) -> tuple[float, ...]:
        turned.append(value.shape)
        return (0.0,)

    monkeypatch.setattr(calls, "numbers", note)
    assert arrays_of(tree([0.0] * (LARGEST + 1))) is None
    assert [] == turned
    assert arrays_of(tree([0.0] * LARGEST)) is not None
    assert [(LARGEST,)] == turned
