# expects: check dtype
# says: Your answer is float32 whatever the weights are. The reference has the dtype that it is
#     made with, and that should be theirs.
"""Turns whole weights into floats."""

import jax
import jax.numpy as jnp


def histogram_ref(xs, weights, bins):
    total = jax.new_ref(jnp.zeros(bins))
    places = jnp.minimum((xs * bins).astype(jnp.int32), bins - 1)

    def add(i, _):
        total[places[i]] += weights[i].astype(jnp.float32)

    jax.lax.fori_loop(0, len(xs), add, None)
    return total[...]
