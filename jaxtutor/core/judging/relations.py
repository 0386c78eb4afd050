"""Finds the one relation between wrong answers and expected ones that holds over every call.

An answer is often wrong in a way that has a name: divided by the number of rows, transposed, one
step late, swapped with its neighbour. A relation is reported only when it holds for every number of
every call, when at least `LEAST_EVIDENCE` numbers speak for it, and when no other relation of its
kind explains the calls as well. Otherwise there is no relation.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from msgspec import Struct

from jaxtutor.core.data.model import ArrayValue, Tree
from jaxtutor.core.judging.compare import Number, is_close, numbers, tolerance_of

LARGEST = 4096
"""Elements of one answer that are looked at; in Python, more would delay the verdict."""

LEAST_EVIDENCE = 3
"""Numbers that must differ from the expected ones exactly as a relation says; two may by chance."""

LEAST_FITTED = 4
"""The same for a factor or a constant, beyond the number it is read from: small whole numbers fit
one more easily."""

LEAST_COVERED = 0.8
"""Share of an argument's numbers of one kind that must be wrong, to blame that kind."""

LEAST_RIGHT = 3
"""Right numbers that "wrong only where x is negative" needs beside the wrong ones."""


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


def find_relation(comparisons: Sequence[Comparison], what: str = "answer") -> Relation | None:
    """Return the relation that holds over all calls, or None where none or several do.

    `what` names what was compared: "answer", "gradient", "batched answer".
    """
    calls = [_read(item) for item in comparisons]
    known = [call for call in calls if call is not None]
    if not known or len(known) < len(calls):
        return None
    swapped = _find_swap(known, what)
    if swapped is not None:
        return swapped
    known, part = _wrong_leaves_only(known)
    if not all(call.pairs for call in known):
        return None
    subject = f"{part} of your {what}" if part else f"your {what}"
    for finders in (_WHOLE, _TRANSFORMED, _REORDERED, _CONDITIONAL):
        found = [one for find in finders for one in find(known)]
        strong = [one for one in found if one.evidence >= LEAST_EVIDENCE]
        if strong:
            return _say(strong, len(known), subject)
    return None


def _say(found: list[HoldingRelation], count: int, subject: str) -> Relation | None:
    """Put the only relation into a sentence; several explain nothing."""
    if len({one.kind for one in found}) > 1:
        return None
    where = (
        "In this call" if count == 1 else "In both calls" if count == 2 else f"In all {count} calls"
    )
    return Relation(found[0].kind, f"{where} {subject} {found[0].says}.")


# ---------------------------------------------------------------- reading


def _read(item: Comparison) -> ComparedCall | None:
    """Turn a call into numbers; None where it holds something else, or too much."""
    expected, actual = _arrays(item.expected), _arrays(item.actual)
    if expected is None or actual is None or len(expected) != len(actual):
        return None
    pairs = tuple(zip(expected, actual, strict=True))
    return ComparedCall(
        pairs, tuple(_arrays(item.arguments, strict=False) or ()) if item.arguments else ()
    )


def _arrays(tree: Tree, strict: bool = True) -> list[NumberArray] | None:
    found = []
    for leaf in tree.leaves:
        value = leaf.value
        if not isinstance(value, ArrayValue) or value.data is None:
            if strict:
                return None
            continue
        values = tuple(numbers(value))
        if len(values) > LARGEST:
            return None
        found.append(NumberArray(leaf.path, value.shape, value.dtype, values))
    return found


def _wrong_leaves_only(calls: list[ComparedCall]) -> tuple[list[ComparedCall], str]:
    """Leave out the leaves that are right in every call; name the one that is left."""
    if len({len(call.pairs) for call in calls}) > 1:
        return calls, ""
    wrong = {i for call in calls for i, pair in enumerate(call.pairs) if not _equal(*pair)}
    if len(wrong) == len(calls[0].pairs):
        return calls, ""
    kept = [
        ComparedCall(tuple(call.pairs[i] for i in sorted(wrong)), call.arguments) for call in calls
    ]
    names = [kept[0].pairs[n][0].path for n in range(len(wrong))]
    return kept, f"`{names[0]}`" if len(names) == 1 and names[0] else ""


# ---------------------------------------------------------------- comparing


def _close(expected: Number, actual: Number, dtype: str) -> bool:
    rtol, atol = tolerance_of(dtype)
    return is_close(expected, actual, max(rtol, 1e-5), atol)


def _equal(expected: NumberArray, actual: NumberArray) -> bool:
    return expected.shape == actual.shape and _alike(expected.values, actual.values, actual.dtype)


def _alike(expected: Sequence[Number], actual: Sequence[Number], dtype: str) -> bool:
    return len(expected) == len(actual) and all(
        _close(a, b, dtype) for a, b in zip(expected, actual, strict=True)
    )


def _differing(left: Sequence[Number], right: Sequence[Number], dtype: str) -> int:
    """Count the numbers in which a prediction differs from the expected answer."""
    return sum(not _close(a, b, dtype) for a, b in zip(left, right, strict=True))


def _is_finite(value: Number) -> bool:
    return not isinstance(value, complex) and math.isfinite(value)


Predict = Callable[[NumberArray], NumberArray | None]


def _evidence(calls: Iterable[ComparedCall], predict: Predict) -> int | None:
    """Return how many numbers show that the actual is `predict(expected)`; None where it is not."""
    total = 0
    for call in calls:
        for expected, actual in call.pairs:
            predicted = predict(expected)
            if predicted is None or not _equal(predicted, actual):
                return None
            if predicted.shape != expected.shape:
                total += len(predicted.values)
            else:
                total += _differing(expected.values, predicted.values, actual.dtype)
    return total


def _try(
    calls: list[ComparedCall], kind: str, says: str, predict: Predict
) -> Iterator[HoldingRelation]:
    evidence = _evidence(calls, predict)
    if evidence:
        yield HoldingRelation(kind, says, evidence)


# ---------------------------------------------------------------- the whole answer


def _find_swap(calls: list[ComparedCall], what: str) -> Relation | None:
    """Two leaves that stand in each other's place."""
    count = len(calls[0].pairs)
    if count < 2 or any(len(call.pairs) != count for call in calls):
        return None
    for i in range(count):
        for j in range(i + 1, count):
            shown = [_swapped(call, i, j) for call in calls]
            if None not in shown and sum(filter(None, shown)) >= LEAST_EVIDENCE:
                first, second = (calls[0].pairs[n][0].path for n in (i, j))
                several = f"all {len(calls)} calls" if len(calls) > 1 else "this call"
                return Relation(
                    "swapped", f"In {several} `{first}` and `{second}` of your {what} are swapped."
                )
    return None


def _swapped(call: ComparedCall, i: int, j: int) -> int | None:
    for n, (expected, actual) in enumerate(call.pairs):
        wanted = call.pairs[{i: j, j: i}.get(n, n)][0]
        if not _equal(wanted, actual):
            return None
        del expected
    first, second = call.pairs[i][0], call.pairs[j][0]
    if first.shape != second.shape:
        return len(first.values) + len(second.values)
    return 2 * _differing(first.values, second.values, first.dtype)


def _find_unchanged(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """The answer is one of the arguments."""
    if any(len(call.pairs) != 1 for call in calls):
        return
    for path in _shared_paths(calls):
        evidence = 0
        for call in calls:
            argument = next(array for array in call.arguments if array.path == path)
            expected, actual = call.pairs[0]
            if not _equal(argument, actual):
                break
            same = expected.shape == argument.shape
            differing = _differing(expected.values, argument.values, actual.dtype) if same else 0
            evidence += differing if same else len(argument.values)
        else:
            yield HoldingRelation("unchanged", f"is `{path}`, unchanged", evidence)
            return


def _shared_paths(calls: list[ComparedCall]) -> list[str]:
    paths = [array.path for array in calls[0].arguments]
    others = [{array.path for array in call.arguments} for call in calls[1:]]
    return [path for path in paths if all(path in other for other in others)]


def _find_constant(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Every number of the answer is the same, whatever the arguments."""
    actual = [value for call in calls for _, array in call.pairs for value in array.values]
    expected = [value for call in calls for array, _ in call.pairs for value in array.values]
    if len(calls) < 2 or not actual or any(isinstance(value, complex) for value in actual):
        return
    dtype = calls[0].pairs[0][1].dtype
    if not all(_close(actual[0], value, dtype) for value in actual):
        return
    varied = sum(not _close(actual[0], value, dtype) for value in expected)
    if len(set(expected)) >= LEAST_EVIDENCE:
        yield HoldingRelation("constant", f"is {_number(actual[0])} everywhere", varied)


# ---------------------------------------------------------------- number by number


def _find_scale(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """The answer is the expected one times a factor, the same or one that a length explains."""
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
    if not known or evidence < LEAST_FITTED:
        return
    constant = all(math.isclose(factor, known[0], rel_tol=1e-3) for factor in known)
    if constant and math.isclose(known[0], 1.0, rel_tol=5e-3):
        return
    by_length = _length_words(calls, factors)
    if by_length is not None:
        yield HoldingRelation("scaled", by_length, evidence)
    elif constant:
        yield HoldingRelation("scaled", _factor_words(known[0]), evidence)


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
            if _is_finite(e) and _is_finite(a)
        ]
        if len(finite) < len(expected.values) or any(isinstance(e, complex) for e, _ in finite):
            return None
        if factor is None and finite:
            e, a = max(finite, key=lambda pair: abs(pair[0]))
            factor = float(a) / float(e) if e and not isinstance(a, complex) else None  # type: ignore[arg-type]
        scale = factor if factor is not None else 0.0
        rtol, atol = tolerance_of(actual.dtype)
        for e, a in finite:
            if abs(a - scale * e) > max(rtol, 1e-4) * abs(scale * e) + atol * min(1.0, abs(scale)):
                return None
            shown += bool(e)
    return factor, shown if factor else 0


_LENGTHS: tuple[tuple[str, Callable[[int], float]], ...] = (
    ("multiplied by {n}", lambda n: n),
    ("divided by {n}", lambda n: 1 / n),
    ("multiplied by the square root of {n}", math.sqrt),
    ("divided by the square root of {n}", lambda n: 1 / math.sqrt(n)),
    ("multiplied by n / (n - 1), where n is {n}", lambda n: n / (n - 1) if n > 1 else math.nan),
    ("multiplied by (n - 1) / n, where n is {n}", lambda n: (n - 1) / n),
)


def _length_words(calls: list[ComparedCall], factors: list[float | None]) -> str | None:
    """Explain the factors by the length of one axis of one argument, if a single one does."""
    found: dict[str, str] = {}
    for path in _shared_paths(calls):
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


def _find_offset(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """The answer is the expected one plus a constant."""
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
                if not _close(e + offset, a, actual.dtype):
                    return
                evidence += 1
    if offset is not None and evidence >= LEAST_FITTED and abs(offset) > 1e-3:
        sign, size = ("plus", offset) if offset > 0 else ("minus", -offset)
        yield HoldingRelation("offset", f"is the expected one {sign} {_number(size)}", evidence)


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


def _find_function(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """The answer is a function of the expected one, number by number."""
    for kind, says, function in _FUNCTIONS:
        yield from _try(calls, kind, says, _each(function))


# ---------------------------------------------------------------- moved numbers


def _transpose(array: NumberArray) -> NumberArray | None:
    if len(array.shape) != 2:
        return None
    rows, columns = array.shape
    values = tuple(array.values[i * columns + j] for j in range(columns) for i in range(rows))
    return NumberArray(array.path, (columns, rows), array.dtype, values)


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
    ("transposed", "is the transpose of the expected one", _transpose),
    ("reversed", "is the expected one in reverse order", _reverse),
    ("mirrored", "is the expected one with each row reversed", _mirror),
    ("first-missing", "lacks the first element of the expected one", _without(first=True)),
    ("last-missing", "lacks the last element of the expected one", _without(first=False)),
    ("padded-front", "is padded at the front; expected at the end", _pad_moved(to_front=True)),
    ("padded-end", "is padded at the end; expected at the front", _pad_moved(to_front=False)),
)


def _find_moves(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """The numbers are right and in other places."""
    for kind, says, predict in _MOVES:
        yield from _try(calls, kind, says, predict)


def _find_extra(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """The answer has one element more than expected, at one end."""
    flipped = [ComparedCall(tuple((a, e) for e, a in call.pairs), ()) for call in calls]
    for first, kind, where in ((True, "first-extra", "front"), (False, "last-extra", "end")):
        says = f"has one element more than expected, at the {where}"
        yield from _try(flipped, kind, says, _without(first))


def _find_shift(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """A sequence is one step early or late; what stands in the free place does not matter."""
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
            if not all(_alike(e, a, actual.dtype) for e, a in zip(kept, seen, strict=True)):
                return None
            total += sum(not _alike(e, a, actual.dtype) for e, a in pairwise(wanted))
    return total - 1  # one place is free, so that short sequences fit more easily by chance


def _find_shape(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """The numbers are right and in order, in another shape."""
    evidence = 0
    for call in calls:
        for expected, actual in call.pairs:
            if not _alike(expected.values, actual.values, actual.dtype):
                return
            evidence += len(actual.values) if expected.shape != actual.shape else 0
    expected, actual = calls[0].pairs[0]
    if expected.shape == actual.shape:
        return
    if [n for n in actual.shape if n != 1] == [n for n in expected.shape if n != 1]:
        more = len(actual.shape) > len(expected.shape)
        says = f"{'has an extra' if more else 'lacks an'} axis of length 1"
    else:
        says = f"has the right numbers in shape {actual.shape}; expected {expected.shape}"
    yield HoldingRelation("reshaped", says, evidence)


def _find_permutation(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """The numbers are the expected ones in another order."""
    evidence, is_sorted = 0, True
    for call in calls:
        for expected, actual in call.pairs:
            if expected.shape != actual.shape or Counter(map(_rounded, expected.values)) != Counter(
                map(_rounded, actual.values)
            ):
                return
            evidence += _differing(expected.values, actual.values, actual.dtype)
            is_sorted = is_sorted and _is_sorted(actual.values)
    words = "sorted" if is_sorted else "in another order"
    yield HoldingRelation("permuted", f"has the expected numbers, {words}", evidence)


def _rounded(value: Number) -> str:
    return f"{value:.5g}"


def _is_sorted(values: Sequence[Number]) -> bool:
    real = [value for value in values if not isinstance(value, complex)]
    return len(real) == len(values) and all(a <= b for a, b in pairwise(real))


# ---------------------------------------------------------------- another axis


_REDUCTIONS: tuple[tuple[str, Callable[[Sequence[float]], float]], ...] = (
    ("sum", math.fsum),
    ("mean", lambda values: math.fsum(values) / len(values)),
    ("maximum", max),
    ("minimum", min),
)


def _find_axis(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """An argument is reduced along another axis than expected."""
    if any(len(call.pairs) != 1 for call in calls):
        return
    for path in _shared_paths(calls):
        arrays = [next(a for a in call.arguments if a.path == path) for call in calls]
        if any(len(a.shape) != 2 or not a.values or any(map(_is_odd, a.values)) for a in arrays):
            continue
        for name, reduce in _REDUCTIONS:
            for right, wrong in ((0, 1), (1, 0)):
                evidence = 0
                for array, call in zip(arrays, calls, strict=True):
                    expected, actual = call.pairs[0]
                    along = _reduced(array, reduce, right), _reduced(array, reduce, wrong)
                    if not (
                        _alike(along[0], expected.values, actual.dtype)
                        and _alike(along[1], actual.values, actual.dtype)
                    ):
                        break
                    evidence += len(actual.values)
                else:
                    says = (
                        f"is the {name} of `{path}` over axis {wrong}; expected over axis {right}"
                    )
                    yield HoldingRelation("axis", says, evidence)


def _is_odd(value: Number) -> bool:
    return isinstance(value, complex) or not math.isfinite(value)


def _reduced(
    array: NumberArray, reduce: Callable[[Sequence[float]], float], axis: int
) -> list[float]:
    rows = [[float(v) for v in row if not isinstance(v, complex)] for row in array.rows()]
    lines = [list(column) for column in zip(*rows, strict=True)] if axis == 0 else rows
    return [reduce(line) for line in lines]


# ---------------------------------------------------------------- right but for some


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


def _find_elements(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """The answer is wrong only, and nearly everywhere, where an argument is of one kind.

    Not quite everywhere: a wrong number may lie within the tolerance of the right one.
    """
    if any(len(call.pairs) != 1 for call in calls):
        return
    for path in _shared_paths(calls):
        for name, test in _ELEMENTS:
            wrong = right = kinds = 0
            for call in calls:
                argument = next(a for a in call.arguments if a.path == path)
                expected, actual = call.pairs[0]
                if not argument.shape == expected.shape == actual.shape:
                    break
                is_kind = test(argument.values)
                differs = [
                    not _close(e, a, actual.dtype)
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


_WHOLE = (_find_unchanged, _find_constant)
_TRANSFORMED = (
    _find_scale,
    _find_offset,
    _find_function,
    _find_moves,
    _find_extra,
    _find_shift,
    _find_shape,
    _find_axis,
)
_REORDERED = (_find_permutation,)
_CONDITIONAL = (_find_elements,)


def _number(value: Number) -> str:
    if isinstance(value, complex):
        return str(value)
    if isinstance(value, bool):
        return str(value)
    if math.isnan(value):
        return "NaN"
    return f"{value:.6g}"
