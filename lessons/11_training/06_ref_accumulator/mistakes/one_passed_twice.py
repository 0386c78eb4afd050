# expects: ValueError at 17
"""Passes one reference under two names."""

import jax
import jax.numpy as jnp


def histogram_ref(xs, weights, bins):
    total = jax.new_ref(jnp.zeros(bins, weights.dtype))
    places = jnp.minimum((xs * bins).astype(jnp.int32), bins - 1)

    @jax.jit
    def add(read, write, place, weight):
        write[place] = read[place] + weight

    def body(i, _):
        add(total, total, places[i], weights[i])

    jax.lax.fori_loop(0, len(xs), body, None)
    return total[...]
