# expects: check values
# says: Your answer counts one element of the padding. Positions start at 0: which of them are
#     inside a length of 2?
"""Counts the first element of the padding."""

import jax
import jax.numpy as jnp


def mean(row, length):
    inside = jnp.arange(row.size) <= length
    return jnp.where(inside, row, 0).sum() / jnp.maximum(length, 1)


def masked_mean(X, lengths):
    return jax.vmap(mean)(X, lengths)
