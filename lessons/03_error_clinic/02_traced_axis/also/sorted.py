"""Sorts along the axis, and takes the ends."""

import jax
import jax.numpy as jnp


def make_reducer():
    @jax.jit(static_argnames="axis")
    def spread(x, axis):
        ordered = jnp.sort(x, axis=axis)
        return jnp.take(ordered, -1, axis=axis) - jnp.take(ordered, 0, axis=axis)

    return spread
