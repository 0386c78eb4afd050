"""Counts how often each random key is used up while a function runs.

JAX's key-reuse checker does not know which key of an array `keys[i]` is, where `i` is traced. It
refuses two draws from different elements, and a loop in which each round takes another one. This
module looks at the numbers of the keys instead.
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


def takes_traced_keys(jaxpr: Any) -> bool:
    """Return whether a program takes keys from an array by an index that it computes."""
    return any(
        equation.primitive.name in ("dynamic_slice", "gather")
        and jax.dtypes.issubdtype(equation.invars[0].aval.dtype, jax.dtypes.prng_key)
        for equation in jaxprs.walk(jaxpr)
    )


def repeats_a_key(run: Callable[[], Any]) -> bool:
    """Return whether a key is drawn from or split twice in `run()`; True if none was seen.

    Programs that were traced before do not report their keys, so JAX's caches are cleared.
    """
    uses: Counter[bytes] = Counter()

    def record(data: Any) -> None:
        flat = np.asarray(data)
        uses.update(key.tobytes() for key in flat.reshape(-1, flat.shape[-1]))

    primitives = _sinks()
    jax.clear_caches()
    with _reporting(primitives, lambda keys: jax.debug.callback(record, jax.random.key_data(keys))):
        run()
        jax.effects_barrier()
    jax.clear_caches()
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
    """Call `report(keys)` whenever one of the primitives is called, while tracing too."""

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
