# expects: typed-key-as-raw-array at 10
"""Adds 1 to the key to get another one."""

import jax
import jax.numpy as jnp


def two_normals(key, n):
    a = jax.random.normal(key, (n,))
    b = jax.random.normal(key + 1, (n,))
    return jnp.stack([a, b])
