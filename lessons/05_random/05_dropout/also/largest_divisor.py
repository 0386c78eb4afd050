"""A divisor that is at least tiny; nothing that is kept is divided by it."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    if train:
        kept = jnp.maximum(1 - rate, 1e-6)
        return jnp.where(jax.random.bernoulli(key, 1 - rate, x.shape), x / kept, 0)
    return x
