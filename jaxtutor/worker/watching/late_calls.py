"""Chooses late calls to look at, by what is cheap to see: a small state that stands still.

A counter of half precision goes on for some hundred calls, until the next number is further away
than what is added. To evaluate each of these calls would take too long.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from jaxtutor.worker.watching.precision import LOST, LOST_ELSE

LARGEST = 1_024  # elements of a state whose value is read
MOST_STATES = 32  # of one function
_ALIKE = ("convert_element_type", "copy", "reshape", "broadcast_in_dim", "squeeze")


def is_probe(count: int, length: int = 1) -> bool:
    """Return whether a call is one of a few in a row: four times until the count has doubled."""
    spacing = 1 << max(0, count.bit_length() - 3)
    return count % spacing < length


class LateCalls:
    """Follows the small float states of one function, and chooses the calls to evaluate."""

    def __init__(self) -> None:
        self._last: dict[int, Any] = {}
        self._until = 0  # the last call that is evaluated
        self.has_half = False  # a state that may stand still after some thousand calls

    def take(self, count: int, carried: Iterable[tuple[int, Any]]) -> None:
        """Read the states of a call: what it got of what the call before had returned.

        The calls after one whose state has a number that did not change are to be evaluated.
        """
        if not is_probe(count, 2):
            return
        numbers = {n: _numbers(value) for n, value in carried if _is_small_float(value)}
        if not is_probe(count) and self._last:
            still = [x for n, x in numbers.items() if n in self._last and _stays(self._last[n], x)]
            lengths = [LOST.get(x.dtype.itemsize, LOST_ELSE) for x in still]
            self._until = max([self._until, *(count + length for length in lengths)])
        self._last = dict(list(numbers.items())[:MOST_STATES])
        self.has_half = any(x.dtype.itemsize == 2 for x in self._last.values())

    def is_due(self, count: int) -> bool:
        """Return whether a call is to be evaluated."""
        return count <= self._until


def _is_small_float(value: Any) -> bool:
    dtype = getattr(value, "dtype", None)
    is_float = isinstance(dtype, np.dtype) and (dtype.kind == "f" or "float" in dtype.name)
    return is_float and 0 < value.size <= LARGEST


def _numbers(value: Any) -> Any:
    return np.array(value)  # a copy: the buffer may be donated


def _stays(before: Any, after: Any) -> bool:
    """Return whether a number other than zero is the same as before."""
    return before.shape == after.shape and bool(((before == after) & (after != 0)).any())


def is_sum(jaxpr: Any, given: int, position: int) -> bool:
    """Return whether a result is an input with something added, whose rounding is not made up for.

    A running average is not such a sum: it stops changing once it has converged. A compensated sum
    reads the difference between its old and its new value.
    """
    makers = {v: equation for equation in jaxpr.eqns for v in equation.outvars}

    def origin(atom: Any) -> Any:
        while not hasattr(atom, "val") and atom in makers:
            if makers[atom].primitive.name not in _ALIKE:
                break
            atom = makers[atom].invars[0]
        return atom

    before, after = jaxpr.invars[given], origin(jaxpr.outvars[position])
    maker = None if hasattr(after, "val") else makers.get(after)
    if maker is None or maker.primitive.name not in ("add", "sub", "add_any"):
        return False
    differences = (e for e in jaxpr.eqns if e.primitive.name == "sub")
    ends = {before, after}
    is_made_up_for = any(
        all(not hasattr(v, "val") for v in e.invars) and {origin(v) for v in e.invars} == ends
        for e in differences
    )
    return any(origin(v) is before for v in maker.invars) and not is_made_up_for
