# expects: prng-key-reuse at 11
"""Draws in a loop, and keeps the key."""

import jax
import jax.numpy as jnp


def two_normals(key, n):
    rows = []
    for _ in range(2):
        rows.append(jax.random.normal(key, (n,)))
    return jnp.stack(rows)
