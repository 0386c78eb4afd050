# expects: check values
# says: Your answer is symmetric, and `k` is not. Every entry has to be computed.
"""Computes one half and mirrors it."""

import jax
import jax.numpy as jnp


def gram(k, X, Y):
    row = jax.vmap(k, in_axes=(None, 0))
    table = jax.vmap(row, in_axes=(0, None))(X, Y)
    if table.shape[0] != table.shape[1]:
        return table
    return jnp.tril(table) + jnp.tril(table, -1).T
