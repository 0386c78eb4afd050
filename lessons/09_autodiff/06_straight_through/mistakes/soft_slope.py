# expects: check gradient
# says: The value is right, and the slope is that of a smooth staircase. The problem asks for the
#     slope of `x` itself, 1 everywhere.
"""Borrows the slope of a smooth staircase."""

import jax
import jax.numpy as jnp


def round_ste(x):
    y = x - jnp.sin(2 * jnp.pi * x) / (2 * jnp.pi)
    return y + jax.lax.stop_gradient(jnp.round(x) - y)
