# expects: check values
"""Counts the first element of the padding."""

import jax
import jax.numpy as jnp


def mean(row, length):
    inside = jnp.arange(row.size) <= length
    return jnp.where(inside, row, 0).sum() / jnp.maximum(length, 1)


def masked_mean(X, lengths):
    return jax.vmap(mean)(X, lengths)
