# expects: Exception at 13
"""Lets all rows of a vmap write to one reference."""

import jax
import jax.numpy as jnp


def histogram_ref(xs, weights, bins):
    total = jax.new_ref(jnp.zeros(bins, weights.dtype))
    places = jnp.minimum((xs * bins).astype(jnp.int32), bins - 1)

    def add(place, weight):
        total[place] += weight
        return weight

    jax.vmap(add)(places, weights)
    return total[...]
