# expects: check values
"""Leaves the division to jnp.mean, which has nothing to divide by in an empty row."""

import jax
import jax.numpy as jnp


def mean(row, length):
    return jnp.mean(row, where=jnp.arange(row.size) < length)


def masked_mean(X, lengths):
    return jax.vmap(mean)(X, lengths)
