"""Finds answers that are an argument: unchanged, or reduced over another axis."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence

from jaxtutor.core.judging.compare import Number
from jaxtutor.core.judging.relations.calls import (
    LEAST_EVIDENCE,
    ComparedCall,
    HoldingRelation,
    NumberArray,
    are_alike,
    are_equal,
    count_differing,
    first_key,
    is_finite,
    shared_paths,
)


def find_unchanged(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Detect an answer that is one of the arguments."""
    if any(len(call.pairs) != 1 for call in calls):
        return
    for path in shared_paths(calls):
        evidence = 0
        varied: set[Number] = set()  # an argument of ones says nothing
        for call in calls:
            argument = next(array for array in call.arguments if array.path == path)
            expected, actual = call.pairs[0]
            if not are_equal(argument, actual):
                break
            varied.update(argument.values)
            same = expected.shape == argument.shape
            differing = (
                count_differing(expected.values, argument.values, actual.dtype) if same else 0
            )
            evidence += differing if same else len(argument.values)
        else:
            if len(varied) < LEAST_EVIDENCE:
                continue
            yield HoldingRelation("unchanged", f"is `{path}`, unchanged", evidence)
            return


def find_change(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Detect an argument that changes by a multiple of the expected change, such as backwards."""
    roots = {match[0] for path in shared_paths(calls) if (match := _ROOT.match(path))}
    for root in sorted(roots):
        steps = [step for call in calls for step in _steps(call, root)]
        moved = [(expected, actual) for expected, actual in steps if expected]
        if len(steps) < sum(len(e.values) for call in calls for e, _ in call.pairs):
            continue
        if len({expected for expected, _ in moved}) < LEAST_STEPS:
            continue
        factor = max(moved, key=lambda step: abs(step[0]))
        scale = factor[1] / factor[0]
        if abs(scale) < CLOSE or abs(scale - 1) < CLOSE or not math.isfinite(scale):
            continue
        if all(abs(actual - scale * expected) <= CLOSE * abs(scale) for expected, actual in steps):
            how = (
                "the opposite of the expected one"
                if abs(scale + 1) < CLOSE
                else f"the expected one multiplied by {scale:.4g}"
            )
            says = f"changes `{root}`, and the change is {how}"
            yield HoldingRelation("change", says, len(moved))
            return


_ROOT = re.compile(r"\w+")
LEAST_STEPS = 4
"""Different changes that must have one factor; it is read from one of them."""
CLOSE = 1e-3
"""How far a change may be from the multiple; the numbers beside it lose digits in a sum."""


def _steps(call: ComparedCall, root: str) -> Iterator[tuple[float, float]]:
    """Yield by how much an argument changes in each number, as expected and as it is."""
    known = {array.path: array for array in call.arguments}
    for expected, actual in call.pairs:
        paths = (root + expected.path, root + expected.path.removeprefix(first_key(expected.path)))
        old = next((known[path] for path in paths if path in known), None)
        if old is None or not old.shape == expected.shape == actual.shape:
            return
        for before, wanted, got in zip(old.values, expected.values, actual.values, strict=True):
            if not (is_finite(before) and is_finite(wanted) and is_finite(got)):
                return
            yield float(wanted.real - before.real), float(got.real - before.real)


_REDUCTIONS: tuple[tuple[str, Callable[[Sequence[float]], float]], ...] = (
    ("sum", math.fsum),
    ("mean", lambda values: math.fsum(values) / len(values)),
    ("maximum", max),
    ("minimum", min),
)


def find_axis(calls: list[ComparedCall]) -> Iterator[HoldingRelation]:
    """Detect an answer that reduces an argument along another axis than expected."""
    if any(len(call.pairs) != 1 for call in calls):
        return
    for path in shared_paths(calls):
        arrays = [next(a for a in call.arguments if a.path == path) for call in calls]
        if any(
            len(a.shape) != 2 or not a.values or not all(map(is_finite, a.values)) for a in arrays
        ):
            continue
        for name, reduce in _REDUCTIONS:
            for right, wrong in ((0, 1), (1, 0)):
                evidence = 0
                for array, call in zip(arrays, calls, strict=True):
                    expected, actual = call.pairs[0]
                    along = _reduced(array, reduce, right), _reduced(array, reduce, wrong)
                    if not (
                        are_alike(along[0], expected.values, actual.dtype)
                        and are_alike(along[1], actual.values, actual.dtype)
                    ):
                        break
                    evidence += len(actual.values)
                else:
                    says = (
                        f"is the {name} of `{path}` over axis {wrong}; expected over axis {right}"
                    )
                    yield HoldingRelation("axis", says, evidence)


def _reduced(
    array: NumberArray, reduce: Callable[[Sequence[float]], float], axis: int
) -> list[float]:
    rows = [[float(v) for v in row if not isinstance(v, complex)] for row in array.rows()]
    lines = [list(column) for column in zip(*rows, strict=True)] if axis == 0 else rows
    return [reduce(line) for line in lines]
