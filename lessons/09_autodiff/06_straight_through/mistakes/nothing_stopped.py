# expects: check gradient
# says: The value is right, and the gradient is 0: nothing in your answer carries the slope of
#     `x`, or it cancels.
"""Adds x and subtracts it again."""

import jax.numpy as jnp


def round_ste(x):
    return x + (jnp.round(x) - x)
