"""Evaluates one operation, in its own precision by NumPy or else by JAX, and in 64 bits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxtutor.worker.watching.numpy_operations import count_products, evaluate
from jaxtutor.worker.watching.wide_algebra import factor_alike
from jaxtutor.worker.watching.wide_values import Value, wide_dtype

MOST_PRODUCTS = 20_000_000  # of integers in one product, for which NumPy has no fast routine


def by_numpy(name: str, params: Any, ins: Sequence[Any], avals: Sequence[Any]) -> list[Any] | None:
    """Return the results of an operation in its own precision; None if NumPy lacks it.

    Numbers of half precision are computed in float32, as XLA does.
    """
    if not all(isinstance(x, np.ndarray) for x in ins):
        return None  # a key
    if name == "convert_element_type":
        return [_converted(ins[0], avals[0].dtype)]
    if name == "dot_general" and avals[0].dtype.kind in "iu":
        if count_products(params, [x.shape for x in ins]) > MOST_PRODUCTS:
            return None
        ins = [x.astype(avals[0].dtype) for x in ins]
    given = [x.astype(np.float32) if _is_half(x.dtype) else x for x in ins]
    made = evaluate(name, params, given, given)
    if made is None:
        return None
    return [np.asarray(out).astype(a.dtype, copy=False) for out, a in zip(made, avals, strict=True)]


def by_jax(equation: Any, ins: Sequence[Any]) -> list[Any]:
    """Return the results of an operation that JAX evaluates."""
    answer = equation.primitive.bind(*ins, **equation.params)
    outs = answer if equation.primitive.multiple_results else [answer]
    return [np.asarray(x) if isinstance(x.dtype, np.dtype) else x for x in outs]


def in_64_bits(
    name: str, params: Any, ins: Sequence[Value], narrow: Sequence[Any]
) -> Sequence[Any]:
    """Return the results of an operation in 64 bits, by the decisions of its own precision.

    `narrow` are the results that it has there. Raises NotImplementedError if NumPy has no
    counterpart for it, or what NumPy raises.
    """
    kinds = [wide_dtype(out.dtype) for out in narrow]
    wides = [_companion_of(value) for value in ins]
    if name == "convert_element_type":
        (kind,) = kinds
        if kind is None:
            return [wides[0] != 0]
        wide = wides[0] if kind.kind == "c" else wides[0].real  # as JAX does
        return [np.trunc(wide).astype(kind) if kind.kind == "i" else wide.astype(kind)]
    made = evaluate(name, params, wides, [value.narrow for value in ins])
    if made is None:
        made = factor_alike(name, params, wides, narrow)
    if made is None:
        raise NotImplementedError
    pairs = zip(made, kinds, strict=True)
    return [
        np.asarray(out) if kind is None else np.asarray(out).astype(kind, copy=False)
        for out, kind in pairs
    ]


def _companion_of(value: Value) -> Any:
    kind = wide_dtype(value.narrow.dtype)
    return value.wide.astype(kind) if value.is_same and kind is not None else value.wide


def _converted(array: Any, dtype: Any) -> Any:
    """Return an array in another dtype; floats beyond the integers become the nearest one."""
    if not isinstance(dtype, np.dtype):
        raise NotImplementedError
    if array.dtype.kind == "c" != dtype.kind:
        array = array.real  # as JAX does
    is_float = array.dtype.kind in "fV"
    if dtype.kind in "iu" and is_float:
        limits = np.iinfo(dtype)
        numbers = np.nan_to_num(array.astype(np.float64), posinf=np.inf, neginf=-np.inf)
        return np.clip(numbers, float(limits.min), float(limits.max)).astype(np.int64).astype(dtype)
    if _is_half(array.dtype) and dtype.kind not in "fV":
        return array.astype(np.float32).astype(dtype)
    return array.astype(dtype)


def _is_half(dtype: Any) -> bool:
    return bool(dtype.itemsize < 4 and dtype.kind in "fV")
