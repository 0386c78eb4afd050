# expects: check prints
# says: The printed number has lost its sign.
"""Prints the sum without its sign."""

import jax
import jax.numpy as jnp


def traced_sum(x):
    s = jnp.sum(x)
    jax.debug.print("s={}", jnp.abs(s))
    return s
