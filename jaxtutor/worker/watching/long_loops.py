"""Runs the rounds of a loop that are not evaluated one by one, so that later ones can be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from jaxtutor.worker.internals.jaxpr_types import jaxpr_as_fun
from jaxtutor.worker.watching.non_finite import is_finite
from jaxtutor.worker.watching.subprograms import carried_count
from jaxtutor.worker.watching.wide_values import Value, alone

PARTS = 6  # of a long loop, at whose borders rounds are evaluated
AT_A_BORDER = 3  # rounds
WHILE_PARTS = (100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)  # rounds that are run at once
MOST_WORK = 4_000_000  # equations times rounds that are run a second time
MOST_STACKED = 20_000_000  # elements that the rounds of a loop may stack

Values = Sequence[Value | None]


def split_rounds(length: int, most: int) -> list[tuple[int, int]]:
    """Return which rounds of a loop are evaluated: all, or the first ones and some at borders.

    >>> split_rounds(5, 12)
    [(0, 5)]
    >>> split_rounds(1000, 12)
    [(0, 12), (174, 177), (338, 341), (503, 506), (668, 671), (832, 835), (997, 1000)]
    """
    if length <= most + PARTS * AT_A_BORDER:
        return [(0, length)]
    ends = [most + (length - most) * (n + 1) // PARTS for n in range(PARTS)]
    return [(0, most), *((end - AT_A_BORDER, end) for end in ends)]


class Stacks:
    """Collects what the rounds of a scan stack, in the order in which they run."""

    def __init__(self, scan: Any) -> None:
        carries = carried_count(scan, scan.params["jaxpr"].jaxpr)
        self._avals = [v.aval for v in scan.outvars[carries:]]
        self._is_reversed = bool(scan.params.get("reverse"))
        self._parts: list[list[Value | None]] = []

    def add_rounds(self, rows: Sequence[Values]) -> None:
        """Add the rounds that were evaluated, one row each."""
        if rows:
            ordered = list(reversed(rows)) if self._is_reversed else rows
            self._parts.append([_stacked([row[n] for row in ordered]) for n in self._columns])

    def add_part(self, part: Values | None) -> None:
        """Add rounds that were run at once; None if they could not be."""
        self._parts.append(list(part) if part is not None else [None for _ in self._avals])

    @property
    def _columns(self) -> range:
        return range(len(self._avals))

    def joined(self) -> list[Value | None]:
        """Return one value for each result."""
        parts = list(reversed(self._parts)) if self._is_reversed else self._parts
        return [_joined([part[n] for part in parts], aval) for n, aval in enumerate(self._avals)]


class ScanPart:
    """Some rounds of a scan, which are run at once.

    Raises NotImplementedError if they have effects, or are too much to be run twice.
    """

    def __init__(
        self, scan: Any, fixed: Values, carry: Values, mapped: Values, rounds: range
    ) -> None:
        self._scan, self._rounds = scan, rounds
        self._fixed, self._carry, self._mapped = fixed, carry, mapped

    def run(self) -> list[Any]:
        """Return what is carried after the rounds, and what they stack."""
        return self._run(self._rounds)

    def _run(self, rounds: range) -> list[Any]:
        scan = self._scan
        size = len(scan.params["jaxpr"].jaxpr.eqns) * scan.params["length"]
        if scan.effects or size > MOST_WORK:
            raise NotImplementedError
        given = [*_narrow((*self._fixed, *self._carry)), *_rows(self._mapped, rounds)]
        answer = scan.primitive.bind(*given, **{**scan.params, "length": len(rounds)})
        return [_held(x) for x in answer]

    def last_right(self, outs: Sequence[Any]) -> list[Value | None] | None:
        """Return what the body gets in the first round that makes a NaN or an infinity.

        None if there is none in what the rounds returned, or if one was given.
        """
        given = [*self._fixed, *self._carry, *self._mapped]
        if all(map(is_finite, outs)) or not all(map(is_finite, _narrow(given))):
            return None
        count = self._count_right()
        if count == len(self._rounds):
            return None
        carry = self._run(self._rounds[:count]) if count else _narrow(self._carry)
        row = [x[self._rounds[count]] for x in _narrow(self._mapped)]
        values = (*carry[: len(self._carry)], *row)
        return [*self._fixed, *(alone(_held(x)) for x in values)]

    def _count_right(self) -> int:
        """Return how many rounds go well before the first that does not."""
        params, fixed = self._scan.params, _narrow(self._fixed)
        body = jaxpr_as_fun(params["jaxpr"])

        def step(carry: Any, row: Any) -> Any:
            outs = body(*fixed, *carry, *row)
            return tuple(outs[: len(carry)]), _are_finite(outs)

        rows = _rows(self._mapped, self._rounds)
        is_reversed, length = bool(params.get("reverse")), len(self._rounds)
        run = jax.jit(lambda carry: jax.lax.scan(step, carry, rows, length, reverse=is_reversed))
        are_right = np.asarray(run(tuple(_narrow(self._carry)))[1])
        wrong = np.flatnonzero(~(are_right[::-1] if is_reversed else are_right))
        return int(wrong[0]) if wrong.size else length


def _rows(mapped: Values, rounds: range) -> list[Any]:
    """Return of what is mapped over the rows of some rounds."""
    first, last = min(rounds[0], rounds[-1]), max(rounds[0], rounds[-1])
    return [x[first : last + 1] for x in _narrow(mapped)]


def _are_finite(values: Sequence[Any]) -> Any:
    """Return whether all floats are finite, in a program."""
    floats = [x for x in values if jax.numpy.issubdtype(x.dtype, jax.numpy.floating)]
    return jax.numpy.array([jax.numpy.isfinite(x).all() for x in floats]).all()


class WhileParts:
    """Runs some more rounds of a while loop at once, as long as it goes on."""

    def __init__(self, loop: Any, ins: Values) -> None:
        params = loop.params
        before, body = params["cond_nconsts"], params["body_nconsts"]
        if loop.effects:
            raise NotImplementedError
        of_cond, of_body = _narrow(ins[:before]), _narrow(ins[before : before + body])
        test = jaxpr_as_fun(params["cond_jaxpr"])
        step = jaxpr_as_fun(params["body_jaxpr"])
        is_mapped = bool(params["cond_jaxpr"].out_avals[0].shape)

        def goes_on(counted: Any) -> Any:
            left, state = counted
            return (left > 0) & jax.numpy.any(test(*of_cond, *state)[0])

        def advance(counted: Any) -> Any:
            left, state = counted
            after = step(*of_body, *state)
            if is_mapped:  # the examples that are done stay as they are
                (goes_on,) = test(*of_cond, *state)
                after = [_where(goes_on, *pair) for pair in zip(after, state, strict=True)]
            return left - 1, tuple(after)

        def goes_well(states: Any) -> Any:
            _, after = states
            return _are_finite(after[1]) & goes_on(after)

        def find_right(start: Any) -> Any:
            def step(states: Any) -> Any:
                return states[1], advance(states[1])

            return jax.lax.while_loop(goes_well, step, (start, start))[0]

        self._run = jax.jit(lambda start: jax.lax.while_loop(goes_on, advance, start))
        self._find_right = jax.jit(find_right)

    def last_right(
        self, state: Values, outs: Sequence[Any], most: int
    ) -> list[Value | None] | None:
        """Return the state from which a round first makes a NaN or an infinity.

        None if there is none in the state after the rounds, or was before them.
        """
        if all(map(is_finite, outs)) or not all(map(is_finite, _narrow(state))):
            return None
        _, found = self._find_right((np.int32(most), tuple(_narrow(state))))
        return [alone(_held(x)) for x in found]

    def run(self, state: Values, most: int) -> list[Any]:
        """Return the state after at most some rounds. Raises NotImplementedError."""
        _, after = self._run((np.int32(most), tuple(_narrow(state))))
        return [_held(x) for x in after]


def _where(goes_on: Any, after: Any, before: Any) -> Any:
    """Return the examples of one array for which a condition holds, and the others of another."""
    mask = goes_on.reshape(goes_on.shape + (1,) * (after.ndim - goes_on.ndim))
    return jax.numpy.where(mask, after, before)


def _narrow(values: Values) -> list[Any]:
    if any(value is None for value in values):
        raise NotImplementedError
    return [value.narrow for value in values if value is not None]


def _held(array: Any) -> Any:
    return np.asarray(array) if isinstance(array.dtype, np.dtype) else array


def _stacked(items: Values) -> Value | None:
    known = [item for item in items if item is not None]
    if len(known) < len(items):
        return None
    if not isinstance(known[0].narrow, np.ndarray | np.generic):
        return alone(jax.numpy.stack([item.narrow for item in known]))
    narrow = np.stack([item.narrow for item in known])
    worst = max(known, key=lambda item: item.off)
    if not worst.off:
        return alone(narrow)
    wide = np.stack([np.asarray(item.wide) for item in known])
    return Value(narrow, wide, worst.off, worst.loss, any(item.digits for item in known))


def _joined(parts: Values, aval: Any) -> Value | None:
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or int(np.prod(aval.shape)) > MOST_STACKED:
        return None
    if not known:
        return alone(np.zeros(aval.shape, aval.dtype))
    if len(known) == 1:
        return known[0]
    join = np.concatenate if isinstance(aval.dtype, np.dtype) else jax.numpy.concatenate
    narrow = join([part.narrow for part in known])
    worst = max(known, key=lambda part: part.off)
    if not worst.off:
        return alone(narrow)
    wide = np.concatenate([np.asarray(part.wide) for part in known])
    return Value(narrow, wide, worst.off, worst.loss, any(part.digits for part in known))
