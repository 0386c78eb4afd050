"""Finds answers that are a constant, or a function of the expected one, number by number.

The functions are a factor, an offset, and a list of common ones, such as the square.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from jaxtutor.core.judging.compare import Number, tolerance_of
from jaxtutor.core.judging.relations.calls import (
    LEAST_EVIDENCE,
    ComparedCall,
    HoldingRelation,
    NumberArray,
    Predict,
    are_close,
    find_predicted,
    is_finite,
    number_words,
    shared_paths,
    weigh,
)

LEAST_FITTED = 4
"""Numbers that must show a factor or an offset, beyond the one it is read from: small whole numbers
fit one by chance."""


def find_constant(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Detect the same number everywhere, whatever the arguments.

    Zeros need no variety in what was expected: a gradient of ones that is 0 is cut off.
    """
    actual = [value for call in calls for _, array in call.pairs for value in array.values]
    expected = [value for call in calls for array, _ in call.pairs for value in array.values]
    if not actual or any(isinstance(value, complex) for value in actual):
        return
    if any(actual) and (len(calls) < 2 or len(set(expected)) < LEAST_EVIDENCE):
        return
    dtype = calls[0].pairs[0][1].dtype
    if not all(are_close(actual[0], value, dtype) for value in actual):
        return
    varied = sum(not are_close(actual[0], value, dtype) for value in expected)
    shown = varied if not actual[0] else min(varied, weigh(actual, len(actual)))
    yield HoldingRelation("constant", f"is {number_words(actual[0])} everywhere", shown)


def find_scale(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Detect the expected answer times a factor, the same or one that a length explains."""
    factors: list[float | None] = []
    evidence = -1
    for call in calls:
        found = _factor(call)
        if found is None:
            return
        factor, shown = found
        factors.append(factor)
        evidence += shown
    known = [factor for factor in factors if factor is not None]
    if not known:
        return
    constant = all(math.isclose(factor, known[0], rel_tol=1e-3) for factor in known)
    if constant and math.isclose(known[0], 1.0, rel_tol=5e-3):
        return
    by_length = _length_words(calls, factors)
    if by_length is not None and (evidence >= LEAST_FITTED or not constant):
        # Factors that vary with a length are not read from the answers.
        yield HoldingRelation("scaled", by_length, evidence + (not constant))
    elif constant and evidence >= _least_for(known[0], calls):
        kind = "opposite" if math.isclose(known[0], -1.0, rel_tol=1e-4) else "scaled"
        yield HoldingRelation(kind, _factor_words(known[0]), evidence + 1)


def _least_for(factor: float, calls: list[ComparedCall]) -> int:
    """Return the evidence that a factor needs: less where it is a plain one, such as 2 or 1/2.

    Small whole numbers stand in such ratios by chance.
    """
    size = max(abs(factor), 1 / abs(factor)) if factor else math.inf
    is_plain = size < 10 and math.isclose(size, round(size), rel_tol=1e-4)
    is_whole = all(is_finite(v) and v == int(v.real) for v in _expected_numbers(calls))
    return LEAST_FITTED if is_whole or not is_plain else LEAST_FITTED - 2


def _factor(call: ComparedCall) -> tuple[float | None, int] | None:
    """Return the factor of one call, None if all is zero, and how many numbers show it."""
    factor: float | None = None
    shown = 0
    for expected, actual in call.pairs:
        if expected.shape != actual.shape:
            return None
        finite = [
            (e, a)
            for e, a in zip(expected.values, actual.values, strict=True)
            if is_finite(e) and is_finite(a)
        ]
        if any(isinstance(e, complex) for e, _ in finite):
            return None
        if factor is None and finite:
            e, a = max(finite, key=lambda pair: abs(pair[0]))
            factor = float(a) / float(e) if e and not isinstance(a, complex) else None  # type: ignore[arg-type]
        scale = factor if factor is not None else 0.0
        if not _agree_at_infinity(expected, actual, factor):
            return None
        rtol, atol = tolerance_of(actual.dtype)
        for e, a in finite:
            if abs(a - scale * e) > max(rtol, 1e-4) * abs(scale * e) + atol * min(1.0, abs(scale)):
                return None
            shown += bool(e)
    return factor, shown if factor else 0


def _agree_at_infinity(expected: NumberArray, actual: NumberArray, factor: float | None) -> bool:
    """Return whether NaN is where it was expected, and each infinity has the sign of a product.

    Without a factor, which takes a finite number to know, either sign will do.
    """
    for e, a in zip(expected.values, actual.values, strict=True):
        if is_finite(e) and is_finite(a):
            continue
        if isinstance(e, complex) or isinstance(a, complex) or math.isnan(e) != math.isnan(a):
            return False
        if not math.isnan(e) and a not in ((e * factor,) if factor is not None else (e, -e)):
            return False
    return True


_LENGTHS: tuple[tuple[str, Callable[[int], float]], ...] = (
    ("multiplied by {n}", lambda n: n),
    ("divided by {n}", lambda n: 1 / n),
    ("multiplied by the square root of {n}", math.sqrt),
    ("divided by the square root of {n}", lambda n: 1 / math.sqrt(n)),
    ("multiplied by n / (n - 1), where n is {n}", lambda n: n / (n - 1) if n > 1 else math.nan),
    ("multiplied by (n - 1) / n, where n is {n}", lambda n: (n - 1) / n),
    (
        "multiplied by the square root of n / (n - 1), where n is {n}",
        lambda n: math.sqrt(n / (n - 1)) if n > 1 else math.nan,
    ),
    (
        "multiplied by the square root of (n - 1) / n, where n is {n}",
        lambda n: math.sqrt((n - 1) / n) if n else math.nan,
    ),
)


def _length_words(calls: list[ComparedCall], factors: list[float | None]) -> str | None:
    """Explain the factors by the length of one axis of one argument, if a single one does."""
    found: dict[str, str] = {}
    for path in shared_paths(calls):
        shapes = [next(a.shape for a in call.arguments if a.path == path) for call in calls]
        for axis in range(min(map(len, shapes))):
            lengths = [shape[axis] for shape in shapes]
            for words, function in _LENGTHS:
                if _explains(function, lengths, factors):
                    fixed = len(set(lengths)) == 1
                    n = f"{lengths[0]}, the length" if fixed else "the length"
                    found[words] = words.replace("{n}", f"{n} of axis {axis} of `{path}`")
                    if fixed and len([w for w in found if w == words]) > 1:
                        return None
    if len(found) != 1:
        return None
    return "is the expected one " + next(iter(found.values()))


def _explains(
    function: Callable[[int], float], lengths: list[int], factors: list[float | None]
) -> bool:
    if all(n < 2 for n in lengths):
        return False
    return all(
        factor is None or (n > 0 and math.isclose(factor, function(n), rel_tol=2e-3))
        for n, factor in zip(lengths, factors, strict=True)
    )


def _factor_words(factor: float) -> str:
    if math.isclose(factor, -1.0, rel_tol=1e-4):
        return "has the opposite sign"
    inverse = 1 / factor if factor else math.inf
    for size, words in ((factor, "multiplied by"), (inverse, "divided by")):
        if math.isclose(size, round(size), rel_tol=1e-4) and 2 <= abs(round(size)) <= 1000:
            return f"is the expected one {words} {round(size)}"
    return f"is the expected one multiplied by {factor:.4g}"


def find_offset(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Detect the expected answer plus a constant."""
    if len(_expected_numbers(calls)) < LEAST_EVIDENCE:  # plus 1 may as well be 1 everywhere
        return
    offset: float | None = None
    evidence = -1
    for call in calls:
        for expected, actual in call.pairs:
            if expected.shape != actual.shape:
                return
            for e, a in zip(expected.values, actual.values, strict=True):
                if isinstance(e, complex) or isinstance(a, complex):
                    return
                if not (math.isfinite(e) and math.isfinite(a)):
                    return
                offset = a - e if offset is None else offset
                if not are_close(e + offset, a, actual.dtype):
                    return
                evidence += 1
    if offset is not None and evidence >= LEAST_FITTED and abs(offset) > 1e-3:
        sign, size = ("plus", offset) if offset > 0 else ("minus", -offset)
        yield HoldingRelation(
            "offset", f"is the expected one {sign} {number_words(size)}", evidence
        )


def _expected_numbers(calls: list[ComparedCall]) -> set[Number]:
    return {value for call in calls for expected, _ in call.pairs for value in expected.values}


def _each(function: Callable[[float], float]) -> Predict:
    """Predict an array number by number; None where a number has no image."""

    def predict(array: NumberArray) -> NumberArray | None:
        try:
            values = tuple(_image(function, value) for value in array.values)
        except (ValueError, OverflowError, TypeError):
            return None
        return NumberArray(array.path, array.shape, array.dtype, values)

    return predict


def _image(function: Callable[[float], float], value: Number) -> float:
    if isinstance(value, complex):
        raise TypeError("complex numbers are not compared this way")
    return function(value) if math.isfinite(value) else value


_FUNCTIONS: tuple[tuple[str, str, Callable[[float], float]], ...] = (
    ("complement", "is 1 minus the expected one", lambda v: 1 - v),
    ("sigmoid", "is the sigmoid of the expected one", lambda v: 1 / (1 + math.exp(-v))),
    ("tanh", "is the hyperbolic tangent of the expected one", math.tanh),
    ("exponential", "is the exponential of the expected one", math.exp),
    ("logarithm", "is the logarithm of the expected one", math.log),
    ("square", "is the square of the expected one", lambda v: v * v),
    ("root", "is the square root of the expected one", math.sqrt),
    ("absolute", "is the expected one without its sign", abs),
    ("rounded", "is the expected one, rounded", lambda v: float(round(v))),
    ("truncated", "is the expected one without its fraction", lambda v: float(math.trunc(v))),
    ("floored", "is the expected one, rounded down", lambda v: float(math.floor(v))),
    ("ceiled", "is the expected one, rounded up", lambda v: float(math.ceil(v))),
    ("reciprocal", "is the reciprocal of the expected one", lambda v: 1 / v if v else math.inf),
)


def find_function(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Detect a function of the expected answer, number by number."""
    if len(_expected_numbers(calls)) < LEAST_EVIDENCE:  # of zeros, many functions are equal
        return
    for kind, says, function in _FUNCTIONS:
        yield from find_predicted(calls, kind, says, _each(function))
