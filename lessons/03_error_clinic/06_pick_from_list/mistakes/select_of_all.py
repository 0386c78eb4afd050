# expects: check primitive
# says: Your program computes all three functions and keeps one result. Choose among the
#     functions, not among the results.
"""Computes all three, and chooses."""

import jax.numpy as jnp


def apply_kth(i, x):
    return jnp.where(i <= 0, jnp.sin(x), jnp.where(i == 1, jnp.cos(x), jnp.tanh(x)))
