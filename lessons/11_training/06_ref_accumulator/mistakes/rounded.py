# expects: check values
# says: Your answer rounds to the nearest bin number, so a number above the middle of its bin lands
#     in the next one. A bin begins at its number: round down.
"""Rounds to the nearest bin."""

import jax
import jax.numpy as jnp


def histogram_ref(xs, weights, bins):
    total = jax.new_ref(jnp.zeros(bins, weights.dtype))
    places = jnp.minimum(jnp.round(xs * bins).astype(jnp.int32), bins - 1)

    def add(i, _):
        total[places[i]] += weights[i]

    jax.lax.fori_loop(0, len(xs), add, None)
    return total[...]
