"""Finds the one relation between wrong answers and expected ones that holds over every call.

An answer is often wrong in a way that has a name: divided by the number of rows, transposed, one
step late, swapped with its neighbour. A relation is reported only when it holds for every number of
every call, when at least `LEAST_EVIDENCE` numbers speak for it, and when no other relation of its
kind explains the calls as well. Otherwise there is no relation.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

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

LEAST_CALLS = 2
"""Wrong calls, and right ones, that "wrong exactly where n is 0" needs."""

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
    built = _find_swapped_parts(comparisons, what) or _find_leaf_count(comparisons, what)
    if built is not None:
        return built
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
    found = _search(known, _STAGES)
    if found:
        return _say(found, _where(len(known)), subject)
    wrong = [call for call in known if not all(_equal(*pair) for pair in call.pairs)]
    if LEAST_CALLS <= len(wrong) < len(known):
        found = _search(wrong, _OF_WRONG_CALLS)
        return _say(found, f"In the {len(wrong)} calls with a wrong answer,", subject)
    return None


def _search(calls: list[ComparedCall], stages: Sequence[Sequence[Finder]]) -> list[HoldingRelation]:
    """Return what the first stage finds that finds anything."""
    for finders in stages:
        found = [one for find in finders for one in find(calls)]
        strong = [one for one in found if one.evidence >= LEAST_EVIDENCE]
        if strong:
            return strong
    return []


def _say(found: list[HoldingRelation], where: str, subject: str) -> Relation | None:
    """Put the only relation into a sentence; several explain nothing."""
    if len({one.kind for one in found}) != 1:
        return None
    return Relation(found[0].kind, f"{where} {subject} {found[0].says}.")


def _where(count: int) -> str:
    if count > 2:
        return f"In all {count} calls"
    return "In both calls" if count == 2 else "In this call"


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


Finder = Callable[[list[ComparedCall]], Iterator[HoldingRelation]]
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
        varied: set[Number] = set()  # an argument of ones says nothing
        for call in calls:
            argument = next(array for array in call.arguments if array.path == path)
            expected, actual = call.pairs[0]
            if not _equal(argument, actual):
                break
            varied.update(argument.values)
            same = expected.shape == argument.shape
            differing = _differing(expected.values, argument.values, actual.dtype) if same else 0
            evidence += differing if same else len(argument.values)
        else:
            if len(varied) < LEAST_EVIDENCE:
                continue
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
        shown = varied if not actual[0] else min(varied, _weigh(actual, len(actual)))
        yield HoldingRelation("constant", f"is {_number(actual[0])} everywhere", shown)


# ---------------------------------------------------------------- another structure


def _find_swapped_parts(comparisons: Sequence[Comparison], what: str) -> Relation | None:
    """The two parts of a pair stand in each other's place; each may hold many arrays."""
    shown, is_nested = 0, False
    for item in comparisons:
        wanted, got = _pair_parts(item.expected), _pair_parts(item.actual)
        if wanted is None or got is None:
            return None
        is_nested = is_nested or len(wanted[0] + wanted[1]) > 2
        for ours, theirs in zip(got, reversed(wanted), strict=True):
            if len(ours) != len(theirs) or not all(map(_equal, theirs, ours)):
                return None
        shown += sum(len(array.values) for array in wanted[0])
        if len(wanted[0]) == len(wanted[1]) and all(map(_equal, *wanted)):
            return None  # two equal parts: nothing shows that they are swapped
    if shown < LEAST_EVIDENCE or not is_nested:  # `_find_swap` names two single arrays
        return None
    says = f"{_where(len(comparisons))} the two parts of your {what} are swapped."
    return Relation("swapped", says)


def _pair_parts(tree: Tree) -> tuple[list[NumberArray], list[NumberArray]] | None:
    """Return the arrays of both parts of a tuple of two; None for any other tree."""
    arrays = _arrays(tree)
    if arrays is None or len(arrays) < 2:
        return None
    first, second = ([it for it in arrays if it.path.startswith(f"[{n}]")] for n in (0, 1))
    return (first, second) if first and second and len(first + second) == len(arrays) else None


_PLACE = re.compile(r"(.*)\[(\d+)\]$")
"""The path of an item of a list or tuple: its container, and its index."""


def _find_leaf_count(comparisons: Sequence[Comparison], what: str) -> Relation | None:
    """A list of the answer holds one array more or less than expected, at one of its ends."""
    differences = {len(it.actual.leaves) - len(it.expected.leaves) for it in comparisons}
    if differences not in ({1}, {-1}):
        return None
    is_extra = differences == {1}
    places: set[tuple[str, str]] | None = None
    shown = 0
    for item in comparisons:
        longer, shorter = _arrays(item.actual), _arrays(item.expected)
        if longer is None or shorter is None:
            return None
        if not is_extra:
            longer, shorter = shorter, longer
        here = set(_surplus_ends(longer, shorter))
        places = here if places is None else places & here
        shown += sum(len(array.values) for array in shorter)
    if not places or shown < LEAST_EVIDENCE or len({path for path, _ in places}) > 1:
        return None
    (path, end), *others = sorted(places)
    name = f"`{path}` of your {what}" if path else f"your {what}"
    end = "" if others else end
    if is_extra:
        says = "holds one array too many" + (f", its {end} one" if end else "")
    else:
        says = f"lacks its {end} array" if end else "lacks an array"
    return Relation("array-count", f"{_where(len(comparisons))} {name} {says}.")


def _surplus_ends(
    longer: list[NumberArray], shorter: list[NumberArray]
) -> Iterator[tuple[str, str]]:
    """Yield the container and the end whose removal turns the longer list into the shorter."""
    for n, surplus in enumerate(longer):
        found = _PLACE.match(surplus.path)
        rest = longer[:n] + longer[n + 1 :]
        if found is None or not all(map(_equal, rest, shorter)):
            continue
        container, index = found[1], int(found[2])
        siblings = [array.path for array in longer if array.path.startswith(f"{container}[")]
        if index == 0:
            yield container, "first"
        if index == len(siblings) - 1:
            yield container, "last"


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
        yield HoldingRelation("scaled", _factor_words(known[0]), evidence + 1)


def _least_for(factor: float, calls: list[ComparedCall]) -> int:
    """Return the evidence that a factor needs: less where it is a plain one, such as 2 or 1/2.

    Small whole numbers stand in such ratios by chance.
    """
    size = max(abs(factor), 1 / abs(factor)) if factor else math.inf
    is_plain = size < 10 and math.isclose(size, round(size), rel_tol=1e-4)
    is_whole = all(_is_finite(v) and v == int(v.real) for v in _expected_numbers(calls))
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
                if not _close(e + offset, a, actual.dtype):
                    return
                evidence += 1
    if offset is not None and evidence >= LEAST_FITTED and abs(offset) > 1e-3:
        sign, size = ("plus", offset) if offset > 0 else ("minus", -offset)
        yield HoldingRelation("offset", f"is the expected one {sign} {_number(size)}", evidence)


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


def _find_function(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """The answer is a function of the expected one, number by number."""
    if len(_expected_numbers(calls)) < LEAST_EVIDENCE:  # of zeros, many functions are equal
        return
    for kind, says, function in _FUNCTIONS:
        yield from _try(calls, kind, says, _each(function))


# ---------------------------------------------------------------- moved numbers


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


def _find_axis_order(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """The axes come in another order."""
    found = [one for says, order in _AXIS_ORDERS for one in _try(calls, "transposed", says, order)]
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
    ("padded-front", "is padded at the front; expected at the end", _pad_moved(to_front=True)),
    ("padded-end", "is padded at the end; expected at the front", _pad_moved(to_front=False)),
)


_SYMMETRIC = ("reversed", "mirrored")
"""Moves that one call does not show: arguments from -a to a reverse many a wrong answer."""


def _find_moves(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """The numbers are right and in other places."""
    for kind, says, predict in _MOVES:
        if len(calls) > 1 or kind not in _SYMMETRIC:
            yield from _try(calls, kind, says, predict)


def _find_extra(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """The answer has one element more than expected, at one end."""
    flipped = [ComparedCall(tuple((a, e) for e, a in call.pairs), ()) for call in calls]
    for first, kind, where in ((True, "first-extra", "front"), (False, "last-extra", "end")):
        says = f"has one element more than expected, at the {where}"
        yield from _try(flipped, kind, says, _without(first))


def _find_cut(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Some answers have too many elements at one end, or too few; the others are right."""
    for at_end, end in ((True, "end"), (False, "front")):
        for is_extra, says in (
            (False, "lacks elements at the"),
            (True, "has extra elements at the"),
        ):
            evidence = _cut_evidence(calls, at_end, is_extra)
            if evidence:
                yield HoldingRelation(f"cut-{end}-{is_extra}", f"{says} {end}", evidence)


def _cut_evidence(calls: list[ComparedCall], at_end: bool, is_extra: bool) -> int | None:
    total = 0
    for call in calls:
        for expected, actual in call.pairs:
            longer, shorter = (actual, expected) if is_extra else (expected, actual)
            if _equal(expected, actual):
                continue
            count = len(shorter.values)
            if not longer.shape or longer.shape[1:] != shorter.shape[1:]:
                return None
            kept = longer.values[:count] if at_end else longer.values[-count:] if count else ()
            if count >= len(longer.values) or not _alike(kept, shorter.values, actual.dtype):
                return None
            total += count
    return total


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


# ---------------------------------------------------------------- places along an axis


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


def _find_order(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """The elements, or those of each row, come in another order that has a name."""
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
                    _alike(e, a, actual.dtype) for e, a in zip(moved, got, strict=True)
                ):
                    return None
                longest = max(longest, len(wanted))
                total += sum(
                    not _alike(e, a, actual.dtype) for e, a in zip(wanted, moved, strict=True)
                )
    return total if longest > 2 else None


def _series(array: NumberArray, last_axis: bool) -> list[list[tuple[Number, ...]]]:
    """Return the rows as one series, or with `last_axis` each row of numbers as a series."""
    if not last_axis:
        return [array.rows()]
    width = array.shape[-1]
    count = len(array.values) // width if width else 0
    return [[(value,) for value in array.values[i * width :][:width]] for i in range(count)]


def _find_permutation(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """The numbers are the expected ones in another order."""
    evidence, is_sorted = 0, True
    if len(calls) < LEAST_CALLS:
        return
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


def _find_conditional(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """The answer is right in some places: name the wrong places, and what is in them."""
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


@dataclass(frozen=True)
class WrongNumber:
    """A number that is wrong, the expected one, and the arguments' numbers in its place."""

    expected: Number
    actual: Number
    arguments: dict[str, Number]
    dtype: str


def _wrong_numbers(calls: list[ComparedCall]) -> tuple[list[WrongNumber], int]:
    """Return the wrong numbers of all calls, and how many are right."""
    paths, found, right = _shared_paths(calls), [], 0
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
                if _close(e, a, actual.dtype):
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


def _find_arithmetic(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Every number is the expected one combined with an argument's."""
    wrong, right = _wrong_numbers(calls)
    for one in _find_arithmetic_in(wrong) if not right else ():
        yield HoldingRelation(one.kind, f"is {one.says}", one.evidence)


def _find_arithmetic_in(wrong: list[WrongNumber]) -> Iterator[HoldingRelation]:
    if not wrong or any(_is_odd(it.expected) or _is_odd(it.actual) for it in wrong):
        return
    for path in wrong[0].arguments:
        for says, function in _REPLACEMENTS:
            if all(_is_replaced(it, path, function) for it in wrong):
                weight = _weigh([it.actual for it in wrong], len(wrong))
                yield HoldingRelation("arithmetic", says.format(path=path), weight)


def _is_replaced(it: WrongNumber, path: str, function: Callable[[float, float], float]) -> bool:
    x, e = it.arguments.get(path), it.expected
    if x is None or isinstance(x, complex) or isinstance(e, complex) or _is_odd(x):
        return False
    return _close(function(e, x), it.actual, it.dtype)


def _find_one_number(wrong: list[WrongNumber]) -> Iterator[HoldingRelation]:
    first = wrong[0] if wrong else None
    if first is None or not all(_close(first.actual, it.actual, it.dtype) for it in wrong):
        return
    words = _number(first.actual)
    if all(_close(first.expected, it.expected, it.dtype) for it in wrong):
        words = f"{words} instead of {_number(first.expected)}"
    yield HoldingRelation("one-number", words, _weigh([first.actual], len(wrong)))


def _weigh(values: Sequence[Number], count: int) -> int:
    """Count small whole numbers half: they coincide more often."""
    whole = all(_is_finite(v) and v == int(v.real) and abs(v) < 100 for v in values)
    return count // 2 if whole else count


_WHOLE = (_find_unchanged, _find_constant)
_TRANSFORMED = (
    _find_scale,
    _find_offset,
    _find_function,
    _find_axis_order,
    _find_moves,
    _find_extra,
    _find_shift,
    _find_shape,
    _find_axis,
)
_SCALARS: tuple[tuple[str, Callable[[float], bool]], ...] = (
    ("negative", lambda v: v < 0),
    ("0", lambda v: v == 0),
    ("positive", lambda v: v > 0),
)


def _find_calls(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Exactly those calls are wrong in which one number among the arguments is of one kind."""
    wrong = [any(not _equal(*pair) for pair in call.pairs) for call in calls]
    if min(sum(wrong), len(wrong) - sum(wrong)) < LEAST_CALLS:
        return
    for path in _shared_paths(calls):
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


_ORDERED = (_find_order,)
_REORDERED = (_find_permutation,)
_COMBINED = (_find_cut, _find_arithmetic)
_CONDITIONAL = (_find_conditional,)
_BY_CALL = (_find_calls,)
_STAGES = (_WHOLE, _ORDERED, _TRANSFORMED, _REORDERED, _COMBINED, _CONDITIONAL, _BY_CALL)
"""Groups of relations, the most telling first; within a group, only one may hold."""
_OF_WRONG_CALLS = (_WHOLE, _ORDERED, (_find_axis_order, _find_moves, _find_shape, _find_axis))
"""Relations for the wrong calls alone, where others are right: none of them fits a number."""


def _number(value: Number) -> str:
    if isinstance(value, complex):
        return str(value)
    if isinstance(value, bool):
        return str(value)
    if math.isnan(value):
        return "NaN"
    return f"{value:.6g}"
