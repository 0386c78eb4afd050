"""Finds what separates the wrong elements or calls from the right ones.

Where the wrong numbers follow a rule, such as "the unchanged argument", it is reported too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from jaxtutor.core.judging.compare import Number
from jaxtutor.core.judging.relations.calls import (
    LEAST_CALLS,
    ComparedCall,
    HoldingRelation,
    are_close,
    are_equal,
    is_finite,
    number_words,
    shared_paths,
    weigh,
)

LEAST_COVERED = 0.8
"""Share of an argument's numbers of one kind that must be wrong, to blame that kind."""

LEAST_RIGHT = 3
"""Right numbers that "wrong only where x is negative" needs beside the wrong ones."""


def _repeats(values: Sequence[Number]) -> list[bool]:
    counts = Counter(values)
    return [counts[value] > 1 for value in values]


def _test_each(test: Callable[[float], bool]) -> Callable[[Sequence[Number]], list[bool]]:
    return lambda values: [not isinstance(v, complex) and test(v) for v in values]


_ELEMENTS: tuple[tuple[str, Callable[[Sequence[Number]], list[bool]]], ...] = (
    ("negative", _test_each(lambda v: v < 0)),
    ("zero", _test_each(lambda v: v == 0)),
    ("positive", _test_each(lambda v: v > 0)),
    ("NaN", _test_each(math.isnan)),
    ("infinite", _test_each(math.isinf)),
    ("equal to another element", _repeats),
)


def find_conditional(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Detect answers that are right in some places: name the wrong ones, and what is in them."""
    places = list(_find_elements(calls))
    instead = next(_find_replacement(calls), None)
    if len(places) == 1 and instead:
        says = f"{places[0].says}, and there it is {instead.says}"
        yield HoldingRelation(places[0].kind, says, places[0].evidence)
    elif instead:
        yield HoldingRelation(
            "replaced", f"is {instead.says} wherever it is wrong", instead.evidence
        )
    else:
        yield from places


def _find_elements(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """The answer is wrong only, and nearly everywhere, where an argument is of one kind.

    Not quite everywhere: a wrong number may lie within the tolerance of the right one.
    """
    if any(len(call.pairs) != 1 for call in calls):
        return
    for path in shared_paths(calls):
        for name, test in _ELEMENTS:
            wrong = right = kinds = 0
            for call in calls:
                argument = next(a for a in call.arguments if a.path == path)
                expected, actual = call.pairs[0]
                if not argument.shape == expected.shape == actual.shape:
                    break
                is_kind = test(argument.values)
                differs = [
                    not are_close(e, a, actual.dtype)
                    for e, a in zip(expected.values, actual.values, strict=True)
                ]
                if any(d and not k for d, k in zip(differs, is_kind, strict=True)):
                    break
                kinds += sum(is_kind)
                wrong += sum(differs)
                right += len(differs) - sum(is_kind)
            else:
                if wrong >= LEAST_COVERED * max(kinds, 1) and right >= LEAST_RIGHT:
                    says = f"is wrong only where `{path}` is {name}"
                    yield HoldingRelation(f"elements-{name}", says, wrong + right)


@dataclass(frozen=True)
class WrongNumber:
    """A number that is wrong, the expected one, and the arguments' numbers in its place."""

    expected: Number
    actual: Number
    arguments: dict[str, Number]
    dtype: str


def _wrong_numbers(calls: list[ComparedCall]) -> tuple[list[WrongNumber], int]:
    """Return the wrong numbers of all calls, and how many are right."""
    paths, found, right = shared_paths(calls), [], 0
    for call in calls:
        for expected, actual in call.pairs:
            if expected.shape != actual.shape:
                return [], 0
            beside = {
                array.path: array
                for array in call.arguments
                if array.path in paths and array.shape in (expected.shape, ())
            }
            for n, (e, a) in enumerate(zip(expected.values, actual.values, strict=True)):
                if are_close(e, a, actual.dtype):
                    right += 1
                    continue
                here = {path: it.values[n if it.shape else 0] for path, it in beside.items()}
                found.append(WrongNumber(e, a, here, actual.dtype))
    return found, right


_REPLACEMENTS: tuple[tuple[str, Callable[[float, float], float]], ...] = (
    ("the unchanged `{path}`", lambda _, x: x),
    ("`{path}` with the opposite sign", lambda _, x: -x),
    ("the expected one plus `{path}`", lambda e, x: e + x),
    ("the expected one minus `{path}`", lambda e, x: e - x),
    ("the expected one multiplied by `{path}`", lambda e, x: e * x),
    ("the expected one divided by `{path}`", lambda e, x: e / x if x else math.nan),
)
"""What a wrong number can be, from the expected one and an argument's number in its place."""


def _find_replacement(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """All wrong numbers are one number, or one simple function of an argument."""
    wrong, right = _wrong_numbers(calls)
    if not right or any(isinstance(it.actual, complex) for it in wrong):
        return
    yield from _find_arithmetic_in(wrong)
    yield from _find_one_number(wrong)


def find_arithmetic(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Detect the expected answer combined with an argument, number by number."""
    wrong, right = _wrong_numbers(calls)
    for one in _find_arithmetic_in(wrong) if not right else ():
        yield HoldingRelation(one.kind, f"is {one.says}", one.evidence)


def _find_arithmetic_in(wrong: list[WrongNumber]) -> Iterator[HoldingRelation]:
    if not wrong or any(not is_finite(it.expected) or not is_finite(it.actual) for it in wrong):
        return
    for path in wrong[0].arguments:
        for says, function in _REPLACEMENTS:
            if all(_is_replaced(it, path, function) for it in wrong):
                weight = weigh([it.actual for it in wrong], len(wrong))
                yield HoldingRelation("arithmetic", says.format(path=path), weight)


def _is_replaced(it: WrongNumber, path: str, function: Callable[[float, float], float]) -> bool:
    x, e = it.arguments.get(path), it.expected
    if x is None or isinstance(x, complex) or isinstance(e, complex) or not is_finite(x):
        return False
    return are_close(function(e, x), it.actual, it.dtype)


def _find_one_number(wrong: list[WrongNumber]) -> Iterator[HoldingRelation]:
    first = wrong[0] if wrong else None
    if first is None or not all(are_close(first.actual, it.actual, it.dtype) for it in wrong):
        return
    words = number_words(first.actual)
    if all(are_close(first.expected, it.expected, it.dtype) for it in wrong):
        words = f"{words} instead of {number_words(first.expected)}"
    yield HoldingRelation("one-number", words, weigh([first.actual], len(wrong)))


_SCALARS: tuple[tuple[str, Callable[[float], bool]], ...] = (
    ("negative", lambda v: v < 0),
    ("0", lambda v: v == 0),
    ("positive", lambda v: v > 0),
)


def find_calls(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Detect that exactly those calls are wrong in which an argument is of one kind."""
    wrong = [any(not are_equal(*pair) for pair in call.pairs) for call in calls]
    if min(sum(wrong), len(wrong) - sum(wrong)) < LEAST_CALLS:
        return
    for path in shared_paths(calls):
        scalars = [next(a for a in call.arguments if a.path == path) for call in calls]
        values = [array.values[0] for array in scalars if not array.shape]
        if len(values) < len(calls) or any(isinstance(value, complex) for value in values):
            continue
        if scalars[0].dtype == "bool":
            for name, wanted in (("true", True), ("false", False)):
                if [value == wanted for value in values] == wrong:
                    yield HoldingRelation(
                        path, f"is wrong exactly where `{path}` is {name}", len(wrong)
                    )
            continue
        for name, test in _SCALARS:
            if [not isinstance(v, complex) and test(v) for v in values] == wrong:
                yield HoldingRelation(
                    path, f"is wrong exactly where `{path}` is {name}", len(wrong)
                )
