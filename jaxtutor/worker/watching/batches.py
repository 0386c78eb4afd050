"""Compares the rows that a step was trained with and those that a program evaluates.

Rows are known by hashes of their bytes, so that observing a run keeps no data alive. An array of
which most rows were in batches again and again, and others never, is one from which rows are left
out, or one that was to be held back.
"""

from __future__ import annotations

import math
import weakref
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from jaxtutor.core.data.observations import Observation, RowsMixed
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.internals import places, tracers
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.watching.subprograms import called_program

if TYPE_CHECKING:
    from jaxtutor.worker.watching.ledger import Account

MOST_ROWS = 200_000  # that have hashes
MOST_BYTES = 1 << 26  # of these rows
MOST_ARRAYS = 16  # that are compared with one training
FEWEST_ROWS = 32  # of an array that is compared
FIRST_CALL = 3  # from which on it is known what a step is given back
SHARE_TRAINED = 0.05  # of the rows of an array, at least
SHARE_LEFT = 0.01  # of them, at least
SURE = 5.0  # rows of one pool are all drawn, except with a probability of exp(-5)

RowType = tuple[tuple[int, ...], str]
"""The shape and the dtype of one row."""


class Training:
    """The rows of the batches that one step was given since its state began."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.rows: dict[RowType, Counter[int]] = {}
        self.largest: Counter[RowType] = Counter()  # the rows of the largest batch
        self.evaluated: dict[tuple[Frame, int], tuple[RowType, frozenset[int]]] = {}


class Batches:
    """Records the rows of batches, and of the arrays that are evaluated meanwhile or later."""

    def __init__(self, is_own: IsOwn) -> None:
        self._is_own = is_own
        self._trainings: dict[int, Training] = {}  # by the id of the account, which is held
        self._found: list[RowsMixed] = []
        self._multiplied: dict[tuple[int, int], tuple[Any, bool]] = {}  # programs are held
        self._last: list[weakref.ref[Any]] = []
        self._rows, self._bytes = MOST_ROWS, MOST_BYTES
        self._stepping: Any = None

    @property
    def is_following(self) -> bool:
        """Whether a training was seen, whose rows are known."""
        return bool(self._trainings)

    def take(self, account: Account, args: Sequence[Any]) -> None:
        """Record the batches of a step: what is new in each call, and is multiplied."""
        self._stepping = None
        if account.calls < FIRST_CALL or not any(leaf.carried for leaf in account.inputs):
            return
        self._stepping = account.jaxpr
        if not account.goes_on and id(account) in self._trainings:
            self._found.extend(self._mixed(self._trainings.pop(id(account))))
        if id(account) not in self._trainings:
            place = tracers.program_place(account.jaxpr)
            self._trainings[id(account)] = Training(place[0] if place is not None else "")
        training = self._trainings[id(account)]
        for n, (leaf, value) in enumerate(zip(account.inputs, args, strict=True)):
            is_new = not leaf.carried and (leaf.renewed or isinstance(value, np.ndarray))
            if is_new and _has_rows(value) and self._multiplies(account.jaxpr, n):
                kind = _row_type(value)
                rows = self._hashes(value)
                training.rows.setdefault(kind, Counter()).update(rows)
                training.largest[kind] = max(training.largest[kind], len(rows))

    def leave(self, account: Account) -> None:
        """Discard a training with more calls than are recorded: its later batches are unknown."""
        self._trainings.pop(id(account), None)

    def look(self, name: str, jaxpr: Any, args: Sequence[Any]) -> None:
        """Record the rows of what is multiplied outside of a step. `jaxpr` is None for a primitive.

        Only arrays with the same type of rows as a batch are looked at.
        """
        if jaxpr is not None and jaxpr is self._stepping:
            return
        for n, value in enumerate(args):
            if not _has_rows(value) or value.shape[0] < FEWEST_ROWS:
                continue
            kind = _row_type(value)
            trainings = [it for it in self._trainings.values() if kind in it.rows]
            is_read = name in _PRODUCTS if jaxpr is None else self._multiplies(jaxpr, n)
            if trainings and is_read and not any(ref() is value for ref in self._last):
                self._evaluate(trainings, kind, value)

    def observations(self) -> Iterator[Observation]:
        """Yield the arrays of which a part was trained with, once for each place."""
        found = list(self._found)
        for training in self._trainings.values():
            found.extend(self._mixed(training))
        yield from {it.frame: it for it in found}.values()

    def _evaluate(self, trainings: Sequence[Training], kind: RowType, value: Any) -> None:
        place, _ = places.current_place(self._is_own)
        rows = frozenset(self._hashes(value)) if place is not None else frozenset()
        with suppress(TypeError):
            self._last = [*self._last[1 - MOST_ARRAYS :], weakref.ref(value)]
        for training in trainings:
            if place is not None and rows and len(training.evaluated) < MOST_ARRAYS:
                training.evaluated[place, len(value)] = kind, rows

    def _hashes(self, value: Any) -> list[int]:
        """Return a hash of each row; none when the budget is used up."""
        self._rows -= value.shape[0]
        self._bytes -= value.nbytes
        if self._rows < 0 or self._bytes < 0:
            return []
        array = np.ascontiguousarray(np.asarray(value))
        return [hash(row.tobytes()) for row in array]

    def _mixed(self, training: Training) -> Iterator[RowsMixed]:
        """Yield the arrays of which some rows were in many batches, and others in none.

        Had all rows been drawn alike, each would have been in a batch by now, almost surely.
        """
        if self._rows < 0 or self._bytes < 0:
            return  # not all batches are known
        for (place, _), (kind, rows) in training.evaluated.items():
            counts = training.rows[kind]
            is_varied = len(counts) * 2 >= training.largest[kind] * 3
            times = sum(counts.values()) / len(counts) if counts else 0.0
            left = len(rows) - len(rows & counts.keys())
            is_mixed = SHARE_LEFT * len(rows) <= left <= (1 - SHARE_TRAINED) * len(rows)
            if is_varied and is_mixed and left and times >= math.log(len(rows)) + SURE:
                yield RowsMixed(training.name, left, len(rows), round(times), frame=place)

    def _multiplies(self, jaxpr: Any, n: int) -> bool:
        """Return whether a program multiplies its input n, as a model does, and takes no rows."""
        known = self._multiplied.get((id(jaxpr), n))
        if known is None:
            known = self._multiplied[id(jaxpr), n] = jaxpr, is_multiplied(jaxpr, n)
        return known[1]


def is_multiplied(jaxpr: Any, n: int) -> bool:
    """Return whether a program multiplies an input with a matrix, or looks it up in a table."""
    return _follow_rows(jaxpr, n) is None


def _follow_rows(jaxpr: Any, n: int) -> list[int] | None:
    """Return which results of a program have the rows of an input; None if it multiplies them."""
    same = {jaxpr.invars[n]}
    for equation in jaxpr.eqns:
        reads = [m for m, v in enumerate(equation.invars) if not hasattr(v, "val") and v in same]
        name = equation.primitive.name
        inner = called_program(name, equation.params)
        if not reads:
            continue
        if name in _PRODUCTS or (name == "gather" and reads == [1]):
            return None
        if inner is not None and len(inner.jaxpr.invars) == len(equation.invars):
            for m in reads:
                kept = _follow_rows(inner.jaxpr, m)
                if kept is None:
                    return None
                same.update(equation.outvars[k] for k in kept)
        elif name in _KEEPING:
            same.update(equation.outvars)
    outs = enumerate(jaxpr.outvars)
    return [k for k, v in outs if not hasattr(v, "val") and v in same]


_PRODUCTS = frozenset({"dot_general", "conv_general_dilated"})
_KEEPING = frozenset(
    "convert_element_type reshape transpose squeeze broadcast_in_dim add sub mul div max lt"
    " select_n copy neg".split()
)
"""Operations that keep all rows of an array, such as its conversion to another dtype."""


def _has_rows(value: Any) -> bool:
    is_array = isinstance(value, jax.Array | np.ndarray) and not tracers.is_tracer(value)
    return is_array and value.ndim >= 2 and isinstance(value.dtype, np.dtype) and value.size > 0


def _row_type(value: Any) -> RowType:
    return tuple(value.shape[1:]), str(value.dtype)
