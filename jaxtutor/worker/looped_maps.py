"""Maps functions one example at a time: what `jax.vmap` means, without a trace.

A program that fails while `jax.vmap` traces it may run this way, and then says what its results
should be.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

MOST_EXAMPLES = 256
"""Of more examples, the function is mapped by `jax.vmap` itself: each one costs time."""


def install() -> None:
    """Let `jax.vmap` map one example at a time, where that has the same meaning."""
    jax.vmap = functools.partial(_vmap, jax.vmap)  # type: ignore[assignment]


def _vmap(
    original: Callable[..., Any],
    fun: Callable[..., Any],
    in_axes: Any = 0,
    out_axes: Any = 0,
    axis_name: Any = None,
    **options: Any,
) -> Callable[..., Any]:
    mapped: Callable[..., Any] = original(fun, in_axes, out_axes, axis_name=axis_name, **options)
    if axis_name is not None or options:
        return mapped  # the examples may exchange values

    @functools.wraps(fun)
    def looped(*args: Any, **kwargs: Any) -> Any:
        axes = (in_axes if isinstance(in_axes, tuple | list) else (in_axes,) * len(args), 0)
        given = ((*args,), kwargs)
        try:
            each = [_spread(a, v) for a, v in zip(axes[0], args, strict=True)]
            each_named = _spread(0, kwargs)
            flat = [*jax.tree.leaves(each, is_leaf=_is_none), *jax.tree.leaves(each_named)]
            leaves = jax.tree.leaves(given, is_leaf=_is_none)
            count = _count(flat, leaves)
        except Exception:  # what cannot be mapped is for JAX to explain
            count = 0
        if not 0 < count <= MOST_EXAMPLES:
            return mapped(*args, **kwargs)
        structure = jax.tree.structure(given, is_leaf=_is_none)
        results = []
        for index in range(count):
            parts = [_take(a, v, index) for a, v in zip(flat, leaves, strict=True)]
            positional, named = jax.tree.unflatten(structure, parts)
            results.append(fun(*positional, **named))
        return _join(out_axes, results)

    return looped


def _is_none(node: Any) -> bool:
    return node is None


NOT_MAPPED = -(10**9)
"""Stands for None, which is not a leaf."""


def _spread(axes: Any, value: Any) -> Any:
    """Return the axis of each leaf of a value, from a prefix of its tree."""
    marked = jax.tree.map(lambda a: NOT_MAPPED if a is None else a, axes, is_leaf=_is_none)
    return jax.tree.broadcast(marked, value, is_leaf=_is_none)


def _count(axes: list[int], leaves: list[Any]) -> int:
    """Return how many examples there are; all mapped leaves have to agree."""
    pairs = [(a, v) for a, v in zip(axes, leaves, strict=True) if a != NOT_MAPPED]
    sizes = {jnp.shape(value)[axis] for axis, value in pairs if value is not None}
    (size,) = sizes
    return int(size)


def _take(axis: int, value: Any, index: int) -> Any:
    if axis == NOT_MAPPED or value is None:
        return value
    array = jnp.asarray(value)
    return array[(slice(None),) * (axis % array.ndim) + (index,)]


def _join(out_axes: Any, results: list[Any]) -> Any:
    """Stack the results of all examples along the axes that `out_axes` says."""
    structure = jax.tree.structure(results[0])
    axes = jax.tree.leaves(_spread(out_axes, results[0]))
    columns = zip(*map(jax.tree.leaves, results), strict=True)
    stacked = [
        column[0] if axis == NOT_MAPPED else jnp.stack(column, axis=axis)
        for axis, column in zip(axes, columns, strict=True)
    ]
    return jax.tree.unflatten(structure, stacked)
