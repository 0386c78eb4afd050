# expects: typed-key-as-raw-array at 9
"""Treats the key as an array of two."""

import jax
import jax.numpy as jnp


def two_normals(key, n):
    return jnp.stack([jax.random.normal(key[0], (n,)), jax.random.normal(key[1], (n,))])
