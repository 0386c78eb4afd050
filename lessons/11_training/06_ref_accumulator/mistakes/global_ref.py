# expects: check values
# says: Your first answers are right, and later calls add to them. Each call has to make a
#     reference of its own.
"""Keeps one reference for all calls: the second call adds to the first."""

import functools

import jax
import jax.numpy as jnp


@functools.cache
def kept(bins, dtype):
    with jax.ensure_compile_time_eval():
        return jax.new_ref(jnp.zeros(bins, dtype))


def histogram_ref(xs, weights, bins):
    total = kept(bins, weights.dtype)
    places = jnp.minimum((xs * bins).astype(jnp.int32), bins - 1)

    def add(i, _):
        total[places[i]] += weights[i]

    jax.lax.fori_loop(0, len(xs), add, None)
    return total[...]
