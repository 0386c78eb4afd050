"""A key for each row by its number."""

import jax
import jax.numpy as jnp


def two_normals(key, n):
    return jnp.stack([jax.random.normal(jax.random.fold_in(key, row), (n,)) for row in range(2)])
