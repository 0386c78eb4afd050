"""Finds answers that are an argument: unchanged, or reduced over another axis."""

from __future__ import annotations

import math
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
