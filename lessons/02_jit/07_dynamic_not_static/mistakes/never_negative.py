# expects: check values
# says: Your answer treats a negative `s` like 0. A negative `s` turns light into dark.
"""Clips s at 0."""

import jax
import jax.numpy as jnp


def make_scaled():
    @jax.jit
    def g(x, s):
        mean = x.mean()
        return mean + jnp.maximum(s, 0) * (x - mean)

    return g
