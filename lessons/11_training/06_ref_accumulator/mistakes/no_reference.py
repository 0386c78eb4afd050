# expects: check primitive
"""Carries an array instead."""

import jax
import jax.numpy as jnp


def histogram_ref(xs, weights, bins):
    places = jnp.minimum((xs * bins).astype(jnp.int32), bins - 1)

    def add(i, total):
        return total.at[places[i]].add(weights[i])

    return jax.lax.fori_loop(0, len(xs), add, jnp.zeros(bins, weights.dtype))
