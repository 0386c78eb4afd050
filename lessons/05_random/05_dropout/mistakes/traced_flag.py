# expects: config-flag-not-static at 10
"""Compiles it without making the flag static."""

import jax
import jax.numpy as jnp


@jax.jit
def dropout(key, x, rate, train):
    if not train:
        return x
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    kept = jnp.where(rate < 1, 1 - rate, 1)
    return jnp.where(keep, x / kept, 0)
