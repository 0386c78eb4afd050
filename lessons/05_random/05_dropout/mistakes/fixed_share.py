# expects: check independent
# says: Your answer always drops the same number of elements, so they depend on each other. Each
#     element needs its own coin.
"""Drops the elements that come first in a random order."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    if not train:
        return x
    order = jax.random.permutation(key, x.size).reshape(x.shape)
    kept = jnp.where(rate < 1, 1 - rate, 1)
    return jnp.where(order >= rate * x.size, x / kept, 0)
