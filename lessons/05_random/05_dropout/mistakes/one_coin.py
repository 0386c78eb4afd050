# expects: check drops
# says: Your answer drops everything or nothing: one coin was tossed for all elements. Each
#     element needs its own.
"""Tosses one coin for all elements."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    if not train:
        return x
    keep = jax.random.bernoulli(key, 1 - rate)
    return jnp.where(keep, x / jnp.where(rate < 1, 1 - rate, 1), 0)
