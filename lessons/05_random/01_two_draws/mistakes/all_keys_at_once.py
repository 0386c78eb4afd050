# expects: key-array-for-key at 9
"""Passes two keys to one draw."""

import jax


def two_normals(key, n):
    keys = jax.random.split(key)
    return jax.random.normal(keys, (2, n))
