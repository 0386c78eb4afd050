"""Names what an operand has lost that an operation makes a NaN or an infinity of."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from jaxtutor.core.data.observations import LostOperand
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.watching.both_precisions import in_64_bits
from jaxtutor.worker.watching.wide_values import Loss, Value

LEAST = 1e-12  # of the numbers that a difference is made of: less is rounding in 64 bits, too


@dataclass(frozen=True)
class Lost:
    """What an operand was before it lost what makes an operation finite in 64 bits."""

    kind: LostOperand
    place: Frame
    dtype: str
    exact: str
    operation: str


def lost_operand(name: str, params: Any, ins: Sequence[Value], outs: Sequence[Any]) -> Lost | None:
    """Return what is lost of the operands of an operation that is finite in 64 bits."""
    if all(value.loss is None for value in ins):
        return None
    with suppress(Exception), np.errstate(all="ignore"):  # what was lost is not known then
        exact = in_64_bits(name, params, ins, outs)
        for out, wide in zip(outs, exact, strict=True):
            is_lost = ~np.isfinite(out.astype(np.float64)) & np.isfinite(wide)
            if is_lost.any():
                return _at_element(ins, np.argwhere(is_lost)[0], is_lost.shape)
    return None


def _at_element(ins: Sequence[Value], position: Any, shape: tuple[int, ...]) -> Lost | None:
    """Return what the operands lost at an element of the result, if it is more than rounding."""
    for value in ins:
        loss = value.loss
        if loss is None:
            continue
        exact, made = loss.exact, loss.made
        if value.narrow.shape == shape:
            at = tuple(position)
            exact, made = float(value.wide[at]), float(value.narrow[at])
        is_rounding = not loss.underflow and abs(exact - made) <= LEAST * abs(loss.operand)
        if exact != made and not is_rounding:
            return Lost(_kind(loss), loss.place, loss.dtype, f"{exact:.6g}", loss.underflow)
    return None


def _kind(loss: Loss) -> LostOperand:
    if loss.underflow:
        return "underflow"
    return "rounded" if "float" in loss.dtype else "wrapped"
