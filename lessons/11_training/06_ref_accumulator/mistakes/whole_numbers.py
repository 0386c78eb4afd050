# expects: pallas-out-shape at 13
"""Writes floats into a reference of whole numbers."""

import jax
import jax.numpy as jnp


def histogram_ref(xs, weights, bins):
    total = jax.new_ref(jnp.zeros(bins, jnp.int32))
    places = jnp.minimum((xs * bins).astype(jnp.int32), bins - 1)

    def add(i, _):
        total[places[i]] += weights[i]

    jax.lax.fori_loop(0, len(xs), add, None)
    return total[...]
