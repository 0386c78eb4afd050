"""Observes how arrays of NumPy become arrays of JAX: what is rounded away, and what is shared."""

from __future__ import annotations

import functools
import sys
import weakref
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any

import jax
import numpy as np

from jaxtutor.core.data.observations import BufferChanged, DifferencesLost, IntegersCut
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.watching.recorder import Recorder

MOST_AT_A_PLACE = 8  # conversions of one call that are inspected
MOST_COMPARED = 100_000  # elements of one array
MOST_BYTES = 16 << 20  # of a buffer whose contents are remembered
MOST_SHARED = 64  # buffers of one call that are remembered: reading them all takes time
LARGE = 1e5  # smaller numbers have differences that matter less often
LEAST_DIFFERENCES = 8


@dataclass(frozen=True)
class _Shared:
    """An array that may share the memory of a buffer, which had some contents then."""

    place: Frame
    buffer: weakref.ref[Any]
    array: weakref.ref[Any]
    contents: int

    def has_changed(self) -> bool:
        """Return whether the buffer has other contents now, while the array still exists."""
        buffer, array = self.buffer(), self.array()
        if buffer is None or array is None or array.is_deleted():
            return False
        return _contents(buffer) != self.contents


class Conversions:
    """Inspects what the learner's calls of `jnp.asarray` and `jax.device_put` are given."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._counts: Counter[tuple[int, int]] = Counter()
        self._shared: list[_Shared] = []
        self._put: Counter[tuple[int, int]] = Counter()

    def forget(self) -> None:
        """Discard what was recorded."""
        self._counts.clear()
        self._shared.clear()
        self._put.clear()

    def converting(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that converts as another one does, and inspects what it is given."""

        @functools.wraps(original)
        def convert(*args: Any, **kwargs: Any) -> Any:
            made = original(*args, **kwargs)
            if args and type(args[0]) is np.ndarray:
                self._compare(args[0], made, sys._getframe(1))
            return made

        return convert

    def putting(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function like `jax.device_put` that also remembers the buffers it is given."""

        @functools.wraps(original)
        def put(*args: Any, **kwargs: Any) -> Any:
            made = original(*args, **kwargs)
            if args and type(args[0]) is np.ndarray:
                self._compare(args[0], made, sys._getframe(1))
                self._remember(args[0], made, sys._getframe(1))
            return made

        return put

    # ------------------------------------------------------------ rounding

    def _compare(self, given: Any, made: Any, caller: FrameType) -> None:
        """Record numbers whose differences are lost in float32, and integers that int32 cuts."""
        if given.dtype.kind in "iu" and given.dtype.itemsize == 8:
            self._compare_integers(given, made, caller)
        if given.dtype != np.float64 or getattr(made, "dtype", None) != np.float32:
            return
        if not self._is_due(caller, self._counts, MOST_AT_A_PLACE):
            return
        detail = lost_differences(given)
        if detail:
            self._recorder.note(DifferencesLost(detail), caller)

    def _compare_integers(self, given: Any, made: Any, caller: FrameType) -> None:
        """Record 64-bit integers that become others when JAX keeps 32 bits of them."""
        kind = getattr(made, "dtype", None)
        if kind not in (np.int32, np.uint32) or not 0 < given.size <= MOST_COMPARED:
            return
        if not self._is_due(caller, self._counts, MOST_AT_A_PLACE):
            return
        limits = np.iinfo(kind)
        large = given[(given < limits.min) | (given > limits.max)]
        if large.size:
            detail = f"{large.flat[0]} becomes {large[:1].astype(kind)[0]}"
            self._recorder.note(IntegersCut(detail, str(given.dtype), str(kind)), caller)

    def _is_due(self, caller: FrameType, counts: Counter[tuple[int, int]], most: int) -> bool:
        """Count one of the learner's calls, and return whether it is among the first ones."""
        if not self._recorder.is_learners(caller):
            return False
        place = (id(caller.f_code), caller.f_lasti)
        counts[place] += 1
        return counts[place] <= most

    # ------------------------------------------------------------ sharing

    def _remember(self, given: Any, made: Any, caller: FrameType) -> None:
        if not isinstance(made, jax.Array) or not self._is_due(caller, self._put, MOST_SHARED):
            return
        self._look_at_changes()
        place = self._recorder.place_of(caller)
        contents = _contents(given)
        if place is not None and contents is not None:
            held = weakref.ref(given), weakref.ref(made)
            self._shared.append(_Shared(place, *held, contents))

    def _look_at_changes(self) -> None:
        """Record the calls of which two arrays or more outlived the contents of their buffer.

        One may be the batch that is about to be replaced by the next.
        """
        self._shared = [s for s in self._shared if s.array() is not None]
        if not self._shared or len(self._shared) & (len(self._shared) - 1):
            return  # looked at when there are 1, 2, 4, 8, …: each look reads all of them
        changed = Counter(s.place for s in self._shared if s.has_changed())
        for place, count in changed.items():
            if count > 1:
                self._recorder.note_at(BufferChanged(count), place)


def _contents(buffer: Any) -> int | None:
    """Return a number that stands for the contents of a buffer; None if it cannot change."""
    if not buffer.flags.writeable or not buffer.flags.c_contiguous or buffer.nbytes > MOST_BYTES:
        return None
    return zlib.crc32(buffer) if buffer.nbytes else None


def lost_differences(given: Any) -> str:
    """Describe two numbers whose difference float32 does not hold; empty unless there are many."""
    if not given.ndim or len(given) <= LEAST_DIFFERENCES:
        return ""
    rows = given.reshape(len(given), -1)
    rows = rows[: max(LEAST_DIFFERENCES, MOST_COMPARED // max(1, rows.shape[1]))]
    if not np.isfinite(rows).all() or not rows.size:
        return ""
    before, after = rows[:-1], rows[1:]
    apart = np.abs(after - before)
    rounded = np.abs(np.diff(rows.astype(np.float32).astype(np.float64), axis=0))
    # Less than this is the rounding of float64 itself.
    is_real = (apart > 1e-12 * np.abs(after)) & (np.abs(before) > LARGE)
    is_lost = is_real & (np.abs(rounded - apart) > apart / 2)
    if is_real.sum() < LEAST_DIFFERENCES or is_lost.sum() < is_real.sum() / 4:
        return ""
    first, second = (float(part[is_lost][0]) for part in (before, after))
    step = float(np.spacing(np.float32(first)))
    return f"{first:.10g} and {second:.10g}, where the next float32 is {step:g} away"
