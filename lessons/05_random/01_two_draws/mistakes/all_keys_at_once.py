# expects: check jaxpr
# says: No call ran: a draw takes one key, not an array of keys. Draw once for each key, or all at
#     once from one key.
"""Passes two keys to one draw."""

import jax


def two_normals(key, n):
    keys = jax.random.split(key)
    return jax.random.normal(keys, (2, n))
