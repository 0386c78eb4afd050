"""Finds singular values that a threshold leaves out, although they are not rounding errors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jaxtutor.core.data.observations import RankCut
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.watching.operations import Note
from jaxtutor.worker.watching.wide_values import Value

NOISE = 10  # spacings of the dtype, times the largest value: below that a value may be rounding
RIGHT = 0.1  # of a singular value in 64 bits, by which the program's own may differ


class RankWatch:
    """Follows the singular values of the last matrix to their comparison with a threshold."""

    def __init__(self, note: Note) -> None:
        self._note = note
        self._values: Value | None = None

    def look(
        self, name: str, ins: Sequence[Value], outs: Sequence[Value | None], place: Frame | None
    ) -> None:
        """Look at an operation and its operands and results."""
        if name == "svd":
            self._values = outs[0]
        elif name in ("gt", "ge") and self._values is not None and place is not None:
            kept = outs[0]
            if ins[0].narrow is self._values.narrow and kept is not None:
                self._compare(self._values, kept.narrow, place)

    def _compare(self, values: Value, is_kept: np.ndarray, place: Frame) -> None:
        """Record which of some singular values a threshold leaves out, and which was the largest.

        A value is not a rounding error if it is far above them, and is the same in 64 bits.
        """
        narrow, exact = values.narrow, values.wide
        largest = narrow.max(axis=-1, keepdims=True, initial=0)
        is_real = narrow > NOISE * np.finfo(narrow.dtype).eps * largest
        is_real &= np.abs(narrow - exact) <= RIGHT * exact
        left_out = is_real & ~is_kept
        if narrow.dtype == np.float32 and left_out.any():
            row = tuple(np.argwhere(left_out)[0][:-1])
            lost = float(narrow[row][left_out[row]].max())
            count = f"{np.count_nonzero(is_kept[row])} of {narrow.shape[-1]}"
            self._note(RankCut(count, f"{lost:.3g}", f"{float(largest[row][0]):.3g}"), place)
