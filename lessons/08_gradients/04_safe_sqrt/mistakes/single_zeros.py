# expects: check values
# says: You replace single zeros inside a vector that is not zero, so its length comes out too long.
"""Replaces every single zero, not the vectors of zeros."""

import jax.numpy as jnp


def safe_norm(x):
    zero = x == 0
    inside = jnp.where(zero, 1.0, x)
    return jnp.where(zero.all(-1), 0.0, jnp.sqrt(jnp.sum(inside**2, axis=-1)))
