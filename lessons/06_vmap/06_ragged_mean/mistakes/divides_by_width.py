# expects: check values
"""Divides by the width."""

import jax
import jax.numpy as jnp


def mean(row, length):
    inside = jnp.arange(row.size) < length
    return jnp.where(inside, row, 0).mean()


def masked_mean(X, lengths):
    return jax.vmap(mean)(X, lengths)
