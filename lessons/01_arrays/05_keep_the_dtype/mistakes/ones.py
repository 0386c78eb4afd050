# expects: check dtype
# says: Your answer has 32 bits even when `x` has 16: something in your expression has a dtype of
#     its own, and the wider dtype wins.
"""Divides by an array of twos, which are float32."""

import jax.numpy as jnp


def halve(x):
    return x / (jnp.ones(x.shape) + jnp.ones(x.shape))
