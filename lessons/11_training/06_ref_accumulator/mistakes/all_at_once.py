# expects: check values
# says: Your answer loses weights: where several numbers share a bin, only one of them counts. Add
#     each weight to what its bin holds at that moment.
"""Adds all weights at once: of two in one bin, one is lost."""

import jax
import jax.numpy as jnp


def histogram_ref(xs, weights, bins):
    total = jax.new_ref(jnp.zeros(bins, weights.dtype))
    places = jnp.minimum((xs * bins).astype(jnp.int32), bins - 1)

    def add(_, carry):
        total[places] += weights
        return carry

    jax.lax.fori_loop(0, 1, add, None)
    return total[...]
