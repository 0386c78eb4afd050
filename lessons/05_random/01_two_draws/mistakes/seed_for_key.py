# expects: not-a-key at 9
"""Passes numbers where a key belongs."""

import jax
import jax.numpy as jnp


def two_normals(key, n):
    return jnp.stack([jax.random.normal(0, (n,)), jax.random.normal(1, (n,))])
