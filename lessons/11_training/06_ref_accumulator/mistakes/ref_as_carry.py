# expects: pallas-ref-not-read at 16
"""Carries the reference through the loop."""

import jax
import jax.numpy as jnp


def histogram_ref(xs, weights, bins):
    total = jax.new_ref(jnp.zeros(bins, weights.dtype))
    places = jnp.minimum((xs * bins).astype(jnp.int32), bins - 1)

    def add(i, total):
        total[places[i]] += weights[i]
        return total

    return jax.lax.fori_loop(0, len(xs), add, total)[...]
