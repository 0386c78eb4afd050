"""Reads the calls of a check as numbers, and compares expected numbers with actual ones.

The modules beside this one contain finders: functions that take the calls and yield the relations
that hold over all of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from msgspec import Struct

from jaxtutor.core.data.values import ArrayValue, Tree
from jaxtutor.core.judging.compare import Number, is_close, numbers, tolerance_of

LARGEST = 4096
"""Elements of one answer that are looked at; in Python, more would delay the verdict."""

LEAST_EVIDENCE = 3
"""Numbers that must differ from the expected ones exactly as a relation says; two may by chance."""

LEAST_CALLS = 2
"""Wrong calls, and right ones, that "wrong exactly where n is 0" needs; "in another order" needs as
many calls."""


class Comparison(Struct, frozen=True):
    """One call: what was expected, what came, and the arguments where they are small."""

    expected: Tree
    actual: Tree
    arguments: Tree | None = None


class Relation(Struct, frozen=True):
    """What the answer is instead of the expected one, in a sentence."""

    kind: str
    says: str


@dataclass(frozen=True)
class NumberArray:
    """An array as numbers: `path` says which leaf it is, `values` are in C order."""

    path: str
    shape: tuple[int, ...]
    dtype: str
    values: tuple[Number, ...]

    def rows(self) -> list[tuple[Number, ...]]:
        """Return the slices along the first axis, each flat."""
        width = math.prod(self.shape[1:])
        return [self.values[i * width : (i + 1) * width] for i in range(self.shape[0])]


@dataclass(frozen=True)
class ComparedCall:
    """The arrays of one call: pairs of expected and actual, and the arguments."""

    pairs: tuple[tuple[NumberArray, NumberArray], ...]
    arguments: tuple[NumberArray, ...]


@dataclass(frozen=True)
class HoldingRelation:
    """A relation that holds over all calls: its kind, its words, the numbers that show it."""

    kind: str
    says: str
    evidence: int


Finder = Callable[[list[ComparedCall]], Iterator[HoldingRelation]]
Predict = Callable[[NumberArray], NumberArray | None]


def read_call(item: Comparison) -> ComparedCall | None:
    """Turn a call into numbers; None where it holds something else, or too much."""
    expected, actual = arrays_of(item.expected), arrays_of(item.actual)
    if expected is None or actual is None or len(expected) != len(actual):
        return None
    pairs = tuple(zip(expected, actual, strict=True))
    return ComparedCall(
        pairs, tuple(arrays_of(item.arguments, strict=False) or ()) if item.arguments else ()
    )


def is_too_large(item: Comparison) -> bool:
    """Return whether a call is left out because of the size of its answer, whatever it holds."""
    leaves = [leaf.value for tree in (item.expected, item.actual) for leaf in tree.leaves]
    return any(isinstance(it, ArrayValue) and math.prod(it.shape) > LARGEST for it in leaves)


def arrays_of(tree: Tree, strict: bool = True) -> list[NumberArray] | None:
    """Return a tree's arrays; None if one is too large or, where `strict`, a leaf has no data."""
    found = []
    for leaf in tree.leaves:
        value = leaf.value
        if not isinstance(value, ArrayValue) or value.data is None:
            if strict:
                return None
            continue
        if math.prod(value.shape) > LARGEST:
            return None
        found.append(NumberArray(leaf.path, value.shape, value.dtype, tuple(numbers(value))))
    return found


def keep_wrong_leaves(calls: list[ComparedCall]) -> tuple[list[ComparedCall], str]:
    """Leave out the leaves that are right in every call; name the one that is left."""
    if len({len(call.pairs) for call in calls}) > 1:
        return _keep_wrong_parts(calls)
    wrong = {i for call in calls for i, pair in enumerate(call.pairs) if not are_equal(*pair)}
    if len(wrong) == len(calls[0].pairs):
        return calls, ""
    kept = [
        ComparedCall(tuple(call.pairs[i] for i in sorted(wrong)), call.arguments) for call in calls
    ]
    names = [kept[0].pairs[n][0].path for n in range(len(wrong))]
    return kept, f"`{names[0]}`" if len(names) == 1 and names[0] else ""


def _keep_wrong_parts(calls: list[ComparedCall]) -> tuple[list[ComparedCall], str]:
    """Do so for trees that hold more arrays in one call than in another, by their first keys."""
    keys = [{first_key(pair[0].path) for pair in call.pairs} for call in calls]
    wrong = {
        first_key(pair[0].path) for call in calls for pair in call.pairs if not are_equal(*pair)
    }
    if any(key != keys[0] for key in keys) or not wrong or wrong == keys[0] or "" in keys[0]:
        return calls, ""
    kept = [
        ComparedCall(
            tuple(pair for pair in call.pairs if first_key(pair[0].path) in wrong), call.arguments
        )
        for call in calls
    ]
    return kept, f"`{min(wrong)}`" if len(wrong) == 1 else ""


def first_key(path: str) -> str:
    """Return the first key of a leaf's path, such as `[1]`; empty for an array alone."""
    found = _FIRST_KEY.match(path)
    return found[0] if found else ""


_FIRST_KEY = re.compile(r"\[[^\]]*\]")


def shared_paths(calls: list[ComparedCall]) -> list[str]:
    """Return the paths of the arguments that every call has."""
    paths = [array.path for array in calls[0].arguments]
    others = [{array.path for array in call.arguments} for call in calls[1:]]
    return [path for path in paths if all(path in other for other in others)]


def are_close(expected: Number, actual: Number, dtype: str) -> bool:
    """Return whether two numbers agree within the tolerance of a dtype, at least 1e-5."""
    rtol, atol = tolerance_of(dtype)
    return is_close(expected, actual, max(rtol, 1e-5), atol)


def are_equal(expected: NumberArray, actual: NumberArray) -> bool:
    """Return whether two arrays have one shape and close numbers."""
    return expected.shape == actual.shape and are_alike(
        expected.values, actual.values, actual.dtype
    )


def are_alike(expected: Sequence[Number], actual: Sequence[Number], dtype: str) -> bool:
    """Return whether two sequences have one length and close numbers."""
    return len(expected) == len(actual) and all(
        are_close(a, b, dtype) for a, b in zip(expected, actual, strict=True)
    )


def count_differing(left: Sequence[Number], right: Sequence[Number], dtype: str) -> int:
    """Count the numbers in which a prediction differs from the expected answer."""
    return sum(not are_close(a, b, dtype) for a, b in zip(left, right, strict=True))


def is_finite(value: Number) -> bool:
    """Return whether a number is real and finite."""
    return not isinstance(value, complex) and math.isfinite(value)


def _evidence(calls: Iterable[ComparedCall], predict: Predict) -> int | None:
    """Return how many numbers show that the actual is `predict(expected)`; None where it is not."""
    total = 0
    for call in calls:
        for expected, actual in call.pairs:
            predicted = predict(expected)
            if predicted is None or not are_equal(predicted, actual):
                return None
            if predicted.shape != expected.shape:
                total += len(predicted.values)
            else:
                total += count_differing(expected.values, predicted.values, actual.dtype)
    return total


def find_predicted(
    calls: list[ComparedCall], kind: str, says: str, predict: Predict
) -> Iterator[HoldingRelation]:
    """Yield a relation if every actual array is `predict(expected)`."""
    evidence = _evidence(calls, predict)
    if evidence:
        yield HoldingRelation(kind, says, evidence)


def weigh(values: Sequence[Number], count: int) -> int:
    """Return `count`, or half of it if all values are small whole numbers, which coincide often."""
    whole = all(is_finite(v) and v == int(v.real) and abs(v) < 100 for v in values)
    return count // 2 if whole else count


def number_words(value: Number) -> str:
    """Return a number as a sentence shows it, with up to six digits."""
    if isinstance(value, complex | bool):
        return str(value)
    if math.isnan(value):
        return "NaN"
    return f"{value:.6g}"


def calls_words(count: int) -> str:
    """Return how a sentence about all `count` calls begins."""
    if count > 2:
        return f"In all {count} calls"
    return "In both calls" if count == 2 else "In this call"
