# expects: traced-bool-in-if at 11
"""Branches on the rate, which is traced."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    if not train:
        return x
    if rate >= 1:
        return jnp.zeros_like(x)
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x / (1 - rate), 0)
