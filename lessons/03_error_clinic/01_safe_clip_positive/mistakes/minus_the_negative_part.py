# expects: check values
# says: Your answer is NaN for `-inf`: infinity minus infinity is not a number. Choose instead of
#     computing.
"""Subtracts the negative part, which is infinite where x is."""

import jax.numpy as jnp


def safe_clip_positive(x):
    return x - jnp.minimum(x, 0)
