# expects: prng-key-reuse at 10
"""Draws first, and splits the key afterwards."""

import jax
import jax.numpy as jnp


def two_normals(key, n):
    a = jax.random.normal(key, (n,))
    key, sub = jax.random.split(key)
    b = jax.random.normal(sub, (n,))
    return jnp.stack([a, b])
