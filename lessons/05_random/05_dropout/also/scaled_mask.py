"""A mask that holds the scale; x is multiplied by it once."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    if not train:
        return x
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return x * jnp.where(keep, 1 / (1 - rate), 0).astype(x.dtype)
