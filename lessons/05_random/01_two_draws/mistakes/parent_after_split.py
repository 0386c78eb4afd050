# expects: prng-key-reuse at 10
"""Splits, and then draws from the parent too."""

import jax
import jax.numpy as jnp


def two_normals(key, n):
    child, _ = jax.random.split(key)
    a = jax.random.normal(key, (n,))
    b = jax.random.normal(child, (n,))
    return jnp.stack([a, b])
