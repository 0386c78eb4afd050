"""A loop that goes on with a new key each time."""

import jax
import jax.numpy as jnp


def two_normals(key, n):
    rows = []
    for _ in range(2):
        key, sub = jax.random.split(key)
        rows.append(jax.random.normal(sub, (n,)))
    return jnp.stack(rows)
