# expects: check values
# says: Your answer divides by the width of the array. Divide by the number of elements that
#     count.
"""Divides by the width."""

import jax
import jax.numpy as jnp


def mean(row, length):
    inside = jnp.arange(row.size) < length
    return jnp.where(inside, row, 0).mean()


def masked_mean(X, lengths):
    return jax.vmap(mean)(X, lengths)
