# expects: check values
# says: Your answer loses the weight of the number 1.0. It lies on the upper edge, where there is
#     no bin above, and belongs to the last bin.
"""Writes 1.0 to a bin that does not exist."""

import jax
import jax.numpy as jnp


def histogram_ref(xs, weights, bins):
    total = jax.new_ref(jnp.zeros(bins + 1, weights.dtype))

    def add(i, _):
        total[(xs[i] * bins).astype(jnp.int32)] += weights[i]

    jax.lax.fori_loop(0, len(xs), add, None)
    return total[:bins]
