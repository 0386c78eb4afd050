# expects: check values
# says: Your answer skips NaN. A NaN along the axis must show in the spread.
"""Skips NaN."""

import jax
import jax.numpy as jnp


def make_reducer():
    @jax.jit(static_argnames="axis")
    def spread(x, axis):
        return jnp.nanmax(x, axis) - jnp.nanmin(x, axis)

    return spread
