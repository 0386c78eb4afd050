"""The sum of the first elements, looked up among the running sums."""

import jax
import jax.numpy as jnp


def masked_mean(X, lengths):
    def mean(row, length):
        sums = jnp.concatenate([jnp.zeros(1, row.dtype), jnp.cumsum(row)])
        return sums[length] / jnp.maximum(length, 1)

    return jax.vmap(mean)(X, lengths)
