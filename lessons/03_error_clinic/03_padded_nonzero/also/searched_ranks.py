"""Searches for each rank in the running count of finds."""

import jax.numpy as jnp


def positive_indices(x, size):
    rank = jnp.cumsum(x > 0)
    found = jnp.searchsorted(rank, jnp.arange(1, size + 1))
    return jnp.where(found < x.size, found, -1)
