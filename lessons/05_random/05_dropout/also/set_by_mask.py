"""The mask comes from the share that is dropped."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    if not train:
        return x
    drop = jax.random.bernoulli(key, rate, x.shape)
    kept = jnp.where(rate == 1, 1, 1 - rate)
    return jnp.where(drop, jnp.zeros_like(x), x / kept)
