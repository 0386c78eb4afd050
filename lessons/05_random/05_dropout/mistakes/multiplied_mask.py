# expects: check values
"""Multiplies by the mask, and has 0 times infinity at the end."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    if not train:
        return x
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return x * keep / (1 - rate)
