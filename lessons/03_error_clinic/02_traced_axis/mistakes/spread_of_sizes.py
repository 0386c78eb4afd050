# expects: check values
# says: Your answer ignores the signs: -3 counts as 3. The smallest value may be a negative one.
"""Compares sizes without their signs."""

import jax
import jax.numpy as jnp


def make_reducer():
    @jax.jit(static_argnames="axis")
    def spread(x, axis):
        return jnp.abs(x).max(axis) - jnp.abs(x).min(axis)

    return spread
