"""Finds functions that return means over the rows of batches, and got batches of two sizes."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from jaxtutor.core.data.observations import MeansOfBatches
from jaxtutor.worker.internals import tracers
from jaxtutor.worker.watching.subprograms import Inlined

if TYPE_CHECKING:
    from jaxtutor.worker.watching.ledger import Account

LEAST_CALLS = 2  # with full batches
_PASSING = "add add_any sub neg mul convert_element_type copy stop_gradient max pmean".split()
"""Operations on single numbers of which the result is a mean if an operand is."""


def means_of_batches(accounts: Sequence[Account]) -> Iterator[MeansOfBatches]:
    """Yield the functions that were called with full batches, and with a smaller one.

    A step that gets back what it has returned computes each mean with other parameters: no weights
    make the mean of these right.
    """
    functions = defaultdict(list)
    for it in accounts:
        if it.jaxpr is not None and it.place is not None:
            names = tuple(leaf.name for leaf in it.inputs)
            functions[it.jaxpr.debug_info.func_src_info, names, it.place].append(it)
    for found in functions.values():
        if len(found) == 2 and not any(leaf.carried for it in found for leaf in it.inputs):
            with suppress(Exception):  # one that fails leaves the others
                yield from _compare(*found)


def _compare(full: Account, rest: Account) -> Iterator[MeansOfBatches]:
    """Yield what is known of a function that was called with batches of two sizes."""
    rows = _leading_sizes(full.jaxpr, rest.jaxpr)
    if rows is None or rows[0] <= rows[1] or full.calls < LEAST_CALLS:
        return
    is_mean = [rows_are_averaged(it.jaxpr, n) for it, n in zip((full, rest), rows, strict=True)]
    if any(one and other for one, other in zip(*is_mean, strict=True)):
        where = tracers.program_place(full.jaxpr)
        yield MeansOfBatches(where[0] if where is not None else "", *rows, frame=full.place)


def _leading_sizes(one: Any, other: Any) -> tuple[int, int] | None:
    """Return the two sizes of the first axis, if nothing else distinguishes the inputs."""
    sizes = set()
    for ours, theirs in zip(one.invars, other.invars, strict=True):
        if ours.aval.shape == theirs.aval.shape:
            continue
        if not ours.aval.shape or ours.aval.shape[1:] != theirs.aval.shape[1:]:
            return None
        sizes.add((ours.aval.shape[0], theirs.aval.shape[0]))
    return sizes.pop() if len(sizes) == 1 else None


def rows_are_averaged(jaxpr: Any, rows: int) -> list[bool]:
    """Return which results are single numbers that average over a first axis of some size."""
    program = Inlined(jaxpr)
    by = {name: it for it in program.operations for name in it.writes}
    found = []
    for result in program.results:
        seen, waiting = set(), [result]
        is_mean = False
        while waiting:
            name = waiting.pop()
            operation = by.get(name)
            if operation is None or name in seen:
                continue
            seen.add(name)
            equation = operation.equation
            if equation.outvars[0].aval.shape:
                continue
            if equation.primitive.name == "div":
                is_mean |= _divides_rows(equation, by.get(operation.reads[0]), by, rows)
            elif equation.primitive.name in _PASSING:
                waiting.extend(operation.reads)
        found.append(is_mean)
    return found


def _divides_rows(equation: Any, summed: Any, by: Any, rows: int) -> bool:
    """Return whether an equation divides a sum over rows by the number of what was added up."""
    count = getattr(equation.invars[1], "val", None)
    while summed is not None and summed.equation.primitive.name == "convert_element_type":
        summed = by.get(summed.reads[0])
    if count is None or summed is None or summed.equation.primitive.name != "reduce_sum":
        return False
    shape = summed.equation.invars[0].aval.shape
    is_whole = len(summed.equation.params["axes"]) == len(shape)
    return is_whole and shape[:1] == (rows,) and int(count) == math.prod(shape)
