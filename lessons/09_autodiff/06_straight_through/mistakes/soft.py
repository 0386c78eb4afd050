# expects: check values
# says: Your answer is a smooth staircase, close to the rounded value and not equal to it.
"""A smooth staircase: close to rounding, and not it."""

import jax.numpy as jnp


def round_ste(x):
    return x - jnp.sin(2 * jnp.pi * x) / (2 * jnp.pi)
