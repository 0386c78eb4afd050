# expects: masked-assignment at 12
"""Sets elements by a mask."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    if not train:
        return x
    drop = jax.random.bernoulli(key, rate, x.shape)
    x[drop] = 0
    return x / jnp.where(rate < 1, 1 - rate, 1)
