# expects: check values
"""Writes 1.0 to a bin that does not exist."""

import jax
import jax.numpy as jnp


def histogram_ref(xs, weights, bins):
    total = jax.new_ref(jnp.zeros(bins + 1, weights.dtype))

    def add(i, _):
        total[(xs[i] * bins).astype(jnp.int32)] += weights[i]

    jax.lax.fori_loop(0, len(xs), add, None)
    return total[:bins]
