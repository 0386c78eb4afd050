# expects: check primitive
# says: Your numbers are right, but the program makes no mutable reference. This lesson asks for
#     one instead of a carry.
"""Carries an array instead."""

import jax
import jax.numpy as jnp


def histogram_ref(xs, weights, bins):
    places = jnp.minimum((xs * bins).astype(jnp.int32), bins - 1)

    def add(i, total):
        return total.at[places[i]].add(weights[i])

    return jax.lax.fori_loop(0, len(xs), add, jnp.zeros(bins, weights.dtype))
