# expects: check dtype
# says: Your answer has 32 bits even when `x` has 16: something in your expression has a dtype of
#     its own, and the wider dtype wins.
"""Computes in a wider dtype and does not convert back."""

import jax.numpy as jnp


def halve(x):
    return jnp.asarray(x, jnp.float32) / 2
