"""Compares uniform numbers with the rate."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    if not train:
        return x
    keep = jax.random.uniform(key, x.shape) >= rate
    return jnp.where(keep, x / jnp.where(rate < 1, 1 - rate, 1), 0)
