"""A divisor chosen by a second where."""

import jax
import jax.numpy as jnp


def masked_mean(X, lengths):
    def mean(row, length):
        inside = jnp.arange(row.shape[0]) < length
        return jnp.sum(jnp.where(inside, row, 0.0)) / jnp.where(length == 0, 1, length)

    return jax.vmap(mean)(X, lengths)
