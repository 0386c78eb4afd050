# expects: check jaxpr
# says: Your function returns the reference. It has to stay inside; what leaves is the array that
#     is read from it.
"""Returns the reference itself."""

import jax
import jax.numpy as jnp


def histogram_ref(xs, weights, bins):
    total = jax.new_ref(jnp.zeros(bins, weights.dtype))
    places = jnp.minimum((xs * bins).astype(jnp.int32), bins - 1)

    def add(i, _):
        total[places[i]] += weights[i]

    jax.lax.fori_loop(0, len(xs), add, None)
    return total
