# expects: check values
# says: Your answer is NaN for an empty row: 0 / 0. The divisor must not be 0 there.
"""Divides by a length that may be 0."""

import jax
import jax.numpy as jnp


def mean(row, length):
    inside = jnp.arange(row.size) < length
    return jnp.where(inside, row, 0).sum() / length


def masked_mean(X, lengths):
    return jax.vmap(mean)(X, lengths)
