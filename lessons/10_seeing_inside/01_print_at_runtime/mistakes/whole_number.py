# expects: check prints
# says: The printed number is rounded to a whole one. Print the sum with its decimals.
"""Rounds the sum to a whole number."""

import jax
import jax.numpy as jnp


def traced_sum(x):
    s = jnp.sum(x)
    jax.debug.print("s={:.0f}", s)
    return s
