# expects: vmap-body-sees-one-example at 9
"""Counts the axis of the batch inside."""

import jax
import jax.numpy as jnp


def mean(row, length):
    inside = jnp.arange(row.shape[1]) < length
    return jnp.where(inside, row, 0).sum() / jnp.maximum(length, 1)


def masked_mean(X, lengths):
    return jax.vmap(mean)(X, lengths)
