# expects: check all-different
"""Draws one row and shifts it by one place for the other."""

import jax
import jax.numpy as jnp


def two_normals(key, n):
    row = jax.random.normal(key, (n,))
    return jnp.stack([row, jnp.roll(row, 1)])
