"""Counts how often each random key is used up while a function runs.

JAX's key-reuse checker does not know which key of an array `keys[i]` is, where `i` is traced. It
refuses two draws from different elements, and a loop in which each round takes another one. It also
refuses a scan over keys under `vmap`. This module looks at the numbers of the keys instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import jax
import numpy as np

from jaxtutor.worker import jaxprs

SINKS = ("random_bits", "random_split", "random_gamma")
"""Primitives that use up their key, by JAX's rule."""


def takes_keys_in_turn(jaxpr: Any) -> bool:
    """Return whether a program takes keys from an array by a computed index, or scans over one."""
    return any(map(_takes_keys_in_turn, jaxprs.walk(jaxpr)))


def _takes_keys_in_turn(equation: Any) -> bool:
    match equation.primitive.name:
        case "dynamic_slice" | "gather":
            arrays = equation.invars[:1]
        case "scan":
            arrays = equation.invars
        case _:
            return False
    return any(jax.dtypes.issubdtype(a.aval.dtype, jax.dtypes.prng_key) for a in arrays)


def repeats_a_key(run: Callable[[], Any]) -> bool:
    """Return whether a key is drawn from or split twice in `run()`; True if none was seen.

    Without jit, loops are Python's, and each use of a key has its numbers.
    """
    uses: Counter[bytes] = Counter()

    def record(keys: Any) -> None:
        if not isinstance(keys, jax.core.Tracer):  # a tracer's use is followed by the value's
            flat = np.asarray(jax.random.key_data(keys))
            uses.update(key.tobytes() for key in flat.reshape(-1, flat.shape[-1]))

    with _reporting(_sinks(), record), jax.disable_jit():
        run()
    return not uses or max(uses.values()) > 1


def _sinks() -> list[Any]:
    """Return the primitives that use up a key, found in a program that has all of them."""

    def draw(key: Any) -> Any:
        return jax.random.bits(key), jax.random.split(key), jax.random.gamma(key, 1.0)

    equations = jaxprs.walk(jax.make_jaxpr(draw)(jax.random.key(0)))
    found = {equation.primitive.name: equation.primitive for equation in equations}
    return [found[name] for name in SINKS if name in found]


@contextmanager
def _reporting(primitives: list[Any], report: Callable[[Any], None]) -> Iterator[None]:
    """Call `report(keys)` whenever one of the primitives is called."""

    def reporting(original: Callable[..., Any]) -> Callable[..., Any]:
        def bind(keys: Any, *args: Any, **params: Any) -> Any:
            report(keys)
            return original(keys, *args, **params)

        return bind

    for primitive in primitives:
        primitive.bind = reporting(primitive.bind)
    try:
        yield
    finally:
        for primitive in primitives:
            del primitive.bind
