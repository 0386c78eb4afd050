# expects: check loop
# says: Your numbers are right, but the program has a write for each number. A loop in the program
#     does the same with one.
"""Loops in Python: a write for each number."""

import jax
import jax.numpy as jnp


def histogram_ref(xs, weights, bins):
    total = jax.new_ref(jnp.zeros(bins, weights.dtype))
    places = jnp.minimum((xs * bins).astype(jnp.int32), bins - 1)

    for i in range(len(xs)):
        total[places[i]] += weights[i]
    return total[...]
