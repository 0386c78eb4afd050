# expects: traced-bool-in-if at 9
"""Treats the empty row in a branch."""

import jax
import jax.numpy as jnp


def mean(row, length):
    if length == 0:
        return 0.0
    inside = jnp.arange(row.size) < length
    return jnp.where(inside, row, 0).sum() / length


def masked_mean(X, lengths):
    return jax.vmap(mean)(X, lengths)
