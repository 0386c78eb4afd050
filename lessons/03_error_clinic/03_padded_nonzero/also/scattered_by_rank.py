"""Writes each index to the place given by its rank among the finds; the rest is dropped."""

import jax.numpy as jnp


def positive_indices(x, size):
    positive = x > 0
    rank = jnp.where(positive, jnp.cumsum(positive) - 1, size)
    return jnp.full(size, -1).at[rank].set(jnp.arange(x.size), mode="drop")
