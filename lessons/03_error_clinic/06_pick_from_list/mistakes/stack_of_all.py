# expects: check primitive
# says: Your program computes all three functions and keeps one result. Choose among the
#     functions, not among the results.
"""Computes all three, and keeps one."""

import jax.numpy as jnp

FUNCTIONS = [jnp.sin, jnp.cos, jnp.tanh]


def apply_kth(i, x):
    return jnp.stack([f(x) for f in FUNCTIONS])[jnp.clip(i, 0, 2)]
