"""Records where a program's own precision loses what 64 bits keep.

A loss counts once it reaches a result, or decides a comparison: integers that wrap around are
reduced modulo something on purpose, and a small difference may only be tested against a tolerance.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from jaxtutor.core.data.observations import DigitsLost, StateStays, SumStays, Wrapped
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.watching.operations import Note
from jaxtutor.worker.watching.wide_values import LARGE, Loss, Value, departure, rms, wide_dtype

FAR = 0.05  # of a value's size: it has at most one right digit
NEAR = 0.01
JUMP = 100  # an operation that makes a departure so many times larger is where it comes from
RESCALED = 1e3  # a difference that grew by so much was not meant to vanish
SMALL = 1e-3  # what is smaller may be what remains of something that has converged

MATTERS = 0.01  # of the usual change of a state; smaller ones need not arrive

LOST = {2: 3, 1: 3}
"""How often a state must stay the same before that is recorded, by the bytes of its dtype."""
LOST_ELSE = 8

_LOSING = frozenset("add sub add_any reduce_sum cumsum dot_general sin cos tan rem".split())
_COUNTING = frozenset(
    "add sub mul neg reduce_sum reduce_prod cumsum cumprod dot_general integer_pow pow shift_left"
    " convert_element_type".split()
)
_SHRINKING = frozenset(
    "mul div exp exp2 pow integer_pow square reduce_prod cumprod dot_general".split()
)
_DECIDING = frozenset(
    "argmax argmin floor ceil round sign rem atan2 shift_right_logical population_count clz"
    " bitcast_convert_type".split()
)
"""Operations that a rounding error may send to another value: the companion goes along."""


class PrecisionWatch:
    """Joins the results of operations with their companions, and records what was lost."""

    def __init__(self, note: Note) -> None:
        self._note = note
        # By program and result: the largest change, and how often the result stayed the same.
        self._stays: dict[tuple[Hashable, int], tuple[float, int]] = {}

    def join(
        self, name: str, ins: Sequence[Value], narrow: Any, wide: Any, place: Frame | None
    ) -> Value:
        """Return the result of an operation with its companion, and what was lost by it.

        Without a place the operation is not the learner's, and its companion is the result itself.
        """
        dtype = narrow.dtype
        digits = any(value.digits for value in ins)
        if dtype.kind == "b":
            self._decide(ins, narrow, wide)
            return Value(narrow, narrow)
        if (name in _DECIDING and not digits) or (dtype.kind == "u" and dtype.itemsize >= 4):
            return _agreeing(narrow)
        off = departure(narrow, wide)
        underflow = _underflow(name, ins, narrow, wide, place)
        if off < NEAR:
            return Value(narrow, wide, off, underflow, digits)
        before = max((value.off for value in ins), default=0.0)
        if off < FAR or before * JUMP > off:
            loss = next((loss for loss in _losses(ins) if not loss.underflow), underflow)
            return Value(narrow, wide, off, loss, digits) if loss else _agreeing(narrow)
        if place is None or name not in (_COUNTING if dtype.kind in "iu" else _LOSING):
            return Value(narrow, wide, off, underflow) if underflow else _agreeing(narrow)
        if (
            dtype.kind in "iu"
            and ins[0].narrow.dtype.kind not in "iub"
            and _is_rounding(narrow, wide)
        ):
            return _agreeing(narrow)
        return Value(narrow, wide, off, _loss(ins, narrow, wide, place, digits), digits)

    def reach(self, values: Sequence[Value | None]) -> None:
        """Record what was lost in values that a program returns."""
        for value in values:
            if value is not None and value.loss is not None and value.off >= FAR:
                self._record(value.loss, value)

    def _decide(self, ins: Sequence[Value], narrow: Any, wide: Any) -> None:
        """Record what was lost in a comparison, if it decides otherwise."""
        for value in ins:
            loss = value.loss
            if loss is None or (_is_float(loss) and not loss.had_digits):  # may be rounding
                continue
            if not np.array_equal(narrow, np.asarray(wide, bool)):
                self._record(loss, value)

    def _record(self, loss: Loss, value: Value) -> None:
        if loss.underflow:
            return  # what is negligible may be 0
        if not _is_float(loss):
            self._note(Wrapped(loss.dtype), loss.place)
            return
        size = max(rms(value.wide), rms(value.narrow))
        is_rescaled = size >= SMALL and size >= RESCALED * loss.scale
        if loss.had_digits or is_rescaled:
            detail = f"{loss.exact:.6g} in 64 bits, {loss.made:.6g} in {loss.dtype}"
            self._note(
                DigitsLost(detail, loss.dtype, f"{loss.operand:.15g}", loss.had_digits), loss.place
            )

    def compare_state(
        self,
        program: Hashable,
        position: int,
        before: Value,
        after: Value,
        place: Frame | None,
        name: str = "",
    ) -> None:
        """Record a state that a step changes in 64 bits, but not in the program's precision.

        What is added must not get smaller: a state that has converged stays the same as well.
        A state that is known to be given from call to call has the name of its argument.
        """
        dtype = before.narrow.dtype
        if place is None or before.is_same or after.is_same or dtype.kind not in "fV":
            return
        if any(loss.underflow for loss in _losses((before, after))):
            return
        old, new = before.narrow.astype(np.float64), after.narrow.astype(np.float64)
        change = np.asarray(after.wide - before.wide, np.float64)
        size = rms(change)
        counted = np.abs(change) > MATTERS * size
        changes = int(np.count_nonzero(counted))
        if not changes or not np.isfinite(change).all():
            return
        stayed = int(np.count_nonzero(counted & (old == new)))
        largest, times = self._stays.get((program, position), (0.0, 0))
        largest = max(largest, size)
        is_lost = 2 * stayed > changes and 2 * size >= largest
        self._stays[program, position] = largest, times + is_lost
        if is_lost and times + 1 == LOST.get(dtype.itemsize, LOST_ELSE):
            if before.narrow.size == 1:
                self._note(SumStays(str(dtype), name), place)
            else:
                self._note(StateStays(str(dtype), f"{100 * stayed / changes:.0f} %"), place)


def _losses(values: Sequence[Value]) -> Iterator[Loss]:
    return (value.loss for value in values if value.loss is not None)


def _underflow(
    name: str, ins: Sequence[Value], narrow: Any, wide: Any, place: Frame | None
) -> Loss | None:
    """Return where numbers became 0 that are too small for the dtype, now or before."""
    if narrow.dtype.kind not in "fV":
        return None
    known = next((loss for loss in _losses(ins) if loss.underflow), None)
    if known is not None or place is None or name not in _SHRINKING or narrow.all():
        return known
    vanished = (narrow == 0) & (wide != 0)
    if not vanished.any():
        return None
    exact = float(wide[vanished].flat[0])
    return Loss(place, str(narrow.dtype), exact, 0.0, 0.0, had_digits=False, underflow=name)


def _agreeing(narrow: Any) -> Value:
    """Return a value with a companion that is equal to it."""
    wide = wide_dtype(narrow.dtype)
    return Value(narrow, narrow if wide is None else narrow.astype(wide))


def _is_rounding(narrow: Any, wide: Any) -> bool:
    """Return whether integers made of floats differ by what rounding may do."""
    apart = np.abs(narrow.astype(np.float64) - np.asarray(wide, np.float64))
    return bool((apart <= np.maximum(1.0, 1e-3 * np.abs(wide))).all())


def _is_float(loss: Loss) -> bool:
    return "float" in loss.dtype


def _loss(ins: Sequence[Value], narrow: Any, wide: Any, place: Frame, digits: bool) -> Loss:
    """Return what an operation lost, with the numbers of the element that lost most."""
    apart = np.abs(narrow.astype(np.float64) - np.asarray(wide, np.float64))
    at = np.unravel_index(int(np.argmax(np.nan_to_num(apart))), apart.shape) if apart.shape else ()
    operand = max((_element(value.wide, apart.shape, at) for value in ins), key=abs, default=0.0)
    return Loss(
        place,
        str(narrow.dtype),
        float(np.asarray(wide)[at]),
        float(narrow[at]),
        operand,
        digits and abs(operand) >= LARGE,
        max(rms(wide), rms(narrow)),
    )


def _element(array: Any, shape: tuple[int, ...], at: tuple[Any, ...]) -> float:
    """Return the element of an operand at a position, or its size if it has another shape."""
    numbers = np.asarray(array)
    if numbers.dtype.kind not in "fiu" or not numbers.size:
        return 0.0
    if numbers.shape == shape:
        return float(numbers[at])
    return float(numbers) if numbers.ndim == 0 else rms(numbers)
