"""Keeps beside each value of a program what it would be in 64 bits.

The 64-bit companion of a value takes the decisions of the program's own precision: it follows the
same branches, indices and order. Where the two part though the operands agree, the operation lost
something that 64 bits keep. The idea is that of LLVM's NSan (Courbet, 2021, arXiv 2102.12782).
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import numpy as np

from jaxtutor.core.data.positions import Frame

MOST_ELEMENTS = 200_000  # of a value that has a companion
MOST_KEPT = 4_000  # companions of arrays that the program holds between its calls
LARGE = 1e5  # of numbers whose digits after those of float32 may matter


@dataclass(slots=True)
class Loss:
    """An operation that lost what 64 bits keep: its numbers, at the element that lost most."""

    place: Frame
    dtype: str
    exact: float
    made: float
    operand: float
    """The largest operand of an addition, or what was converted."""

    had_digits: bool
    """Whether the digits were there in 64 bits, in what the program was given."""

    scale: float = 0.0
    """The size of the result, as the root of its mean square."""

    underflow: str = ""
    """The operation, if its result is too small for the dtype, which has 0 in its place."""


@dataclass(slots=True)
class Value:
    """A value of a program and its 64-bit companion, which is the value itself if it has none.

    `off` is how far the two are apart, as a fraction of the companion's size. `loss` is the
    operation that they were parted by. `digits` says that the companion has digits that the
    program was given and cannot hold.
    """

    narrow: Any
    wide: Any
    off: float = 0.0
    loss: Loss | None = None
    digits: bool = False
    origin: Any = None
    """What `one_values` knows of a value that is the same at each element."""

    @property
    def is_same(self) -> bool:
        """Whether the value has no companion of its own."""
        return self.narrow is self.wide


def wide_dtype(dtype: Any) -> np.dtype[Any] | None:
    """Return the dtype of a companion; None for a value that has none."""
    if not isinstance(dtype, np.dtype):
        return None  # a key
    if dtype.kind in "iu":
        return np.dtype(np.int64) if dtype.itemsize < 8 else None
    if dtype.kind == "f":
        return np.dtype(np.float64) if dtype.itemsize < 8 else None
    if dtype.kind == "V" and "float" in dtype.name:
        return np.dtype(np.float64)
    return None


def alone(narrow: Any) -> Value:
    """Return a value whose companion is what it is."""
    return Value(narrow, narrow)


def departure(narrow: Any, wide: Any) -> float:
    """Return how far a value is from its companion, relative to the companion's size.

    The sizes of floats are roots of mean squares, of what is finite in both. Integers are apart by
    1 if one of them differs.
    """
    if narrow is wide:
        return 0.0
    dtype = narrow.dtype
    if dtype.kind in "iub":
        return float(not np.array_equal(wide, narrow))
    numbers = narrow.astype(np.float64)
    with np.errstate(invalid="ignore"):  # infinities are not apart
        apart = numbers - wide
    if not apart.any():
        return 0.0
    fits = np.isfinite(apart)
    if not fits.all():
        apart, wide = apart[fits], wide[fits]
        if not apart.size:
            return 0.0
    size = float(np.sqrt(np.mean(np.square(wide))))
    return float(np.sqrt(np.mean(np.square(apart)))) / size if size else float(apart.any())


def rms(array: Any) -> float:
    """Return the root of the mean square of an array's finite elements."""
    numbers = np.asarray(array, np.float64)
    numbers = numbers[np.isfinite(numbers)]
    return float(np.sqrt(np.mean(np.square(numbers)))) if numbers.size else 0.0


class Companions:
    """Keeps the companions of arrays from call to call, as long as the program holds the arrays."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, tuple[Any, Value]] = OrderedDict()

    def value_of(self, given: Any, dtype: Any) -> Value:
        """Return what a program is given as a value of a dtype, with the companion that is known.

        Numbers of Python and arrays of NumPy in 64 bits are their own companions.
        """
        wide = wide_dtype(dtype)
        if wide is None:
            is_array = isinstance(dtype, np.dtype)
            return alone(np.asarray(given, dtype) if is_array else given)
        kept = self._kept.get(id(given))
        narrow = np.asarray(given, dtype)
        if narrow.size > MOST_ELEMENTS:
            return alone(narrow)
        if kept is not None and kept[0]() is given:
            return Value(narrow, kept[1].wide, kept[1].off, kept[1].loss, kept[1].digits)
        exact = _exact(given, wide)
        if exact is None:
            return Value(narrow, narrow.astype(wide))
        digits = wide.kind == "f" and _has_digits(exact, narrow)
        return Value(narrow, exact, departure(narrow, exact), None, digits)

    def keep(self, array: Any, value: Value) -> None:
        """Remember the companion of an array that a program returned."""
        if value.is_same or (value.off == 0.0 and not value.digits):
            return
        try:
            reference = weakref.ref(array)
        except TypeError:  # not an array that the program could hand in again
            return
        self._kept[id(array)] = reference, value
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)


def _has_digits(exact: Any, narrow: Any) -> bool:
    """Return whether large numbers have digits that the program cannot hold.

    Small ones such as 0.1 are rounded as well, but the difference is seldom what they are for.
    """
    return bool(np.any((np.abs(exact) >= LARGE) & (exact != narrow.astype(np.float64))))


def _exact(given: Any, wide: np.dtype[Any]) -> Any | None:
    """Return the 64-bit number or array that a program was given, if it was given one."""
    if isinstance(given, bool | np.bool_):
        return None
    if isinstance(given, float | np.float64):
        return np.asarray(given, wide) if wide.kind == "f" else None
    if isinstance(given, int) and wide.kind == "i":
        return np.asarray(given, wide) if -(2**63) <= given < 2**63 else None
    if isinstance(given, np.ndarray) and given.dtype in (np.float64, np.int64):
        return given if given.dtype == wide else None
    return None
