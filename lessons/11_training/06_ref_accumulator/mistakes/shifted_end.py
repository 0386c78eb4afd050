# expects: check values
# says: Your answer puts numbers just below 1 into too low a bin when the bins are narrow. Limit
#     the number of the bin instead of the number itself.
"""Moves numbers near 1 down, into a bin that is too low where bins are narrow."""

import jax
import jax.numpy as jnp


def histogram_ref(xs, weights, bins):
    total = jax.new_ref(jnp.zeros(bins, weights.dtype))
    places = (jnp.minimum(xs, 0.999) * bins).astype(jnp.int32)

    def add(i, _):
        total[places[i]] += weights[i]

    jax.lax.fori_loop(0, len(xs), add, None)
    return total[...]
