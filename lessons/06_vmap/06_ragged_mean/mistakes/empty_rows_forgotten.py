# expects: check values
"""Divides by a length that may be 0."""

import jax
import jax.numpy as jnp


def mean(row, length):
    inside = jnp.arange(row.size) < length
    return jnp.where(inside, row, 0).sum() / length


def masked_mean(X, lengths):
    return jax.vmap(mean)(X, lengths)
