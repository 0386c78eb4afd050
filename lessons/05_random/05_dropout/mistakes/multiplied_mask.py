# expects: check values
# says: Your answer is NaN at rate 1: it divides by 0, and 0 times infinity is NaN. Choose a
#     divisor that is never 0.
"""Multiplies by the mask, and has 0 times infinity at the end."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    if not train:
        return x
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return x * keep / (1 - rate)
