"""Records what single operations do without raising: indices clamped, integers wrapped, …"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.data.observations import (
    FractionCut,
    HalfOverflow,
    InfGradient,
    IntegersRounded,
    NanGradient,
    NearlyEqual,
    Observation,
    OutOfBounds,
    SameIndexTwice,
    SliceMoved,
    SumStays,
)
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.watching.non_finite import has_infinity, has_nan, is_finite
from jaxtutor.worker.watching.subprograms import count_elements

Note = Callable[[Observation, Frame], None]
"""Records an observation at a place."""

MOST_ELEMENTS = 2_000_000  # of an operand that is examined
NEAR = 16  # spacings of a dtype within which two numbers count as nearly equal
HALF_BYTES = 2  # of a number of half precision
LOST = 10
"""How often a number must be added to a sum without changing it before that is recorded."""

ROUNDING = ("eq", "ne")
_SUMMING = frozenset(
    "mul add sub square integer_pow reduce_sum cumsum dot_general convert_element_type".split()
)
ARITHMETIC = frozenset("add sub mul reduce_sum reduce_prod cumsum cumprod dot_general".split())
"""The integer operations that may wrap."""


class OperationWatch:
    """Looks at the operands and results of operations, one operation at a time."""

    def __init__(self, note: Note) -> None:
        self.note = note
        self.library = ""  # the library's function that the operation comes from
        # By place: the largest number that was added, and how often the sum stayed the same.
        self._sums: dict[Frame, tuple[float, int]] = {}

    def look(
        self,
        name: str,
        params: Any,
        ins: list[Any],
        outs: list[Any],
        place: Frame,
        is_backward: bool,
    ) -> None:
        """Look at an operation of the learner's that was evaluated: its operands and results."""
        if any(np.size(x) > MOST_ELEMENTS for x in (*ins, *outs)):
            return
        is_half = name in _SUMMING and jax.typeof(outs[0]).dtype == np.float16
        if is_half and not is_finite(outs[0]) and all(map(is_finite, ins)):
            self.note(HalfOverflow(), place)
        if is_backward:
            self._look_at_gradient(name, ins, outs, place)
        elif name == "gather":
            self.look_at_gather(params, ins, place)
        elif name in ("dynamic_slice", "dynamic_update_slice"):
            self.look_at_slice(name, params, ins, place)
        elif name == "scatter":
            self._look_at_scatter(ins, place)
        elif name == "scatter-add":
            self._look_at_segments(params, ins, place)
        elif name in ROUNDING:
            self.look_at_equality(ins, place)
        elif name == "convert_element_type":
            self._look_at_conversion(ins, outs, place)

    def _look_at_gradient(self, name: str, ins: list[Any], outs: list[Any], place: Frame) -> None:
        if has_nan(outs) and not has_nan(ins):
            self.note(NanGradient(name), place)
        elif has_infinity(outs) and not has_infinity(ins):
            self.note(InfGradient(name), place)

    def look_at_gather(self, params: Any, ins: list[Any], place: Frame) -> None:
        """Record indices beyond the end, which are clamped or give fill values."""
        shape, indices = np.shape(ins[0]), np.asarray(ins[1])
        for column, axis in enumerate(params["dimension_numbers"].start_index_map):
            starts = indices[..., column]
            last = shape[axis] - params["slice_sizes"][axis]
            if starts.size and (starts.max() > last or starts.min() < 0):
                worst = int(starts.max() if starts.max() > last else starts.min())
                self.note(OutOfBounds(worst, shape[axis], self.library), place)

    def look_at_one_hot(self, inner: Any, ins: list[Any], place: Frame) -> None:
        """Record labels that are not below the number of classes: their rows are all zeros."""
        labels = np.asarray(ins[0])
        if labels.dtype.kind not in "iu" or not labels.size or len(inner.jaxpr.outvars) != 1:
            return
        sizes = set(inner.jaxpr.outvars[0].aval.shape) - set(labels.shape)
        size, largest = max(sizes, default=0), int(labels.max())
        if len(sizes) != 1 or not 0 <= labels.min() < size <= largest:
            return
        is_from_one = labels.min() == 1 and largest == size
        self.note(OutOfBounds(largest, size, "one_hot", bool(is_from_one)), place)

    def look_at_slice(self, name: str, params: Any, ins: list[Any], place: Frame) -> None:
        """Record a slice that JAX moved because it would reach beyond the end."""
        updates = name == "dynamic_update_slice"
        shape = np.shape(ins[0])
        sizes = np.shape(ins[1]) if updates else params["slice_sizes"]
        starts = ins[2 if updates else 1 :][: len(shape)]
        for extent, size, start in zip(shape, sizes, starts, strict=True):
            if not 0 <= int(np.asarray(start)) <= extent - size:
                self.note(SliceMoved(int(np.asarray(start))), place)

    def _look_at_scatter(self, ins: list[Any], place: Frame) -> None:
        indices = np.asarray(ins[1])
        rows = indices.reshape(-1, indices.shape[-1]) if indices.ndim else indices.reshape(1, 1)
        if len(rows) > 1 and len(np.unique(rows, axis=0)) < len(rows):
            self.note(SameIndexTwice(), place)

    def _look_at_segments(self, params: Any, ins: list[Any], place: Frame) -> None:
        """Record sums by numbers without a place, which are dropped."""
        indices, numbers = np.asarray(ins[1]), params["dimension_numbers"]
        axes = numbers.scatter_dims_to_operand_dims
        size = np.shape(ins[0])[axes[0]] if len(axes) == 1 else 0
        found = np.unique(indices)
        if size < 2 or not len(found) or found[0] not in (0, 1):
            return
        first, last = int(found[0]), int(found[-1])
        is_from_one = (first, last, len(found)) == (1, size, size)
        if is_from_one or (first == 0 and last >= size and len(found) == last + 1):
            self.note(OutOfBounds(last, size, "segments", is_from_one), place)

    def _look_at_conversion(self, ins: list[Any], outs: list[Any], place: Frame) -> None:
        """Record fractions that integers cut off, and integers that half precision rounds."""
        kinds = [jax.typeof(x).dtype for x in (ins[0], outs[0])]
        if jnp.issubdtype(kinds[0], jnp.integer) and jnp.issubdtype(kinds[1], jnp.floating):
            self._look_at_rounding(np.asarray(ins[0]), np.asarray(outs[0]), place)
        if all(isinstance(k, np.dtype) for k in kinds) and [k.kind for k in kinds] == ["f", "i"]:
            array = np.asarray(ins[0])
            if bool(np.any(array != np.trunc(array))):
                self.note(FractionCut(), place)

    def _look_at_rounding(self, integers: Any, floats: Any, place: Frame) -> None:
        if floats.dtype.itemsize > HALF_BYTES:
            return
        changed = floats.astype(np.float64) != integers
        if changed.any():
            before, after = integers[changed].flat[-1], floats[changed].flat[-1]
            self.note(IntegersRounded(f"{before} becomes {after:g}", str(floats.dtype)), place)

    def look_at_equality(self, ins: list[Any], place: Frame | None, is_later: bool = False) -> None:
        """Record a comparison of floats that differ by rounding only."""
        kind = jax.typeof(ins[0]).dtype
        if kind.kind != "f" or place is None:
            return
        a, b = (np.asarray(x).astype(kind) for x in ins)
        spacing = np.finfo(a.dtype).eps * np.maximum(np.abs(a), np.abs(b))
        apart = np.abs(a - b)
        if bool(np.any((apart > 0) & (apart <= NEAR * spacing))):
            self.note(NearlyEqual(is_later), place)

    def look_at_sum(self, ins: list[Any], outs: list[Any], place: Frame) -> None:
        """Record a sum that stays the same each time, though what is added does not get smaller."""
        dtype = jax.typeof(outs[0]).dtype
        if count_elements(jax.typeof(outs[0])) != 1 or not jnp.issubdtype(dtype, jnp.floating):
            return
        numbers = (float(np.asarray(x).item()) for x in (*outs, *ins))
        total, *addends = sorted(numbers, key=abs, reverse=True)
        small = abs(addends[-1])
        if not np.isfinite(total) or not small:
            return
        largest, lost = self._sums.get(place, (0.0, 0))
        largest = max(largest, small)
        is_lost = abs(addends[0]) == abs(total) and small >= largest / 2
        self._sums[place] = largest, lost + is_lost
        if lost + is_lost == LOST:
            self.note(SumStays(str(dtype)), place)
