"""A draw for each of two keys, side by side."""

import jax


def two_normals(key, n):
    return jax.vmap(lambda k: jax.random.normal(k, (n,)))(jax.random.split(key))
