# expects: prng-key-reuse at 10
"""Draws both rows from one key."""

import jax
import jax.numpy as jnp


def two_normals(key, n):
    a = jax.random.normal(key, (n,))
    b = jax.random.normal(key, (n,))
    return jnp.stack([a, b])
