# expects: check dtype
# says: Your values are right, but a mask of `float32` numbers widens a `bfloat16` array. A
#     boolean mask has no such effect.
"""Turns the mask into a float32 array."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    if not train:
        return x
    keep = jax.random.bernoulli(key, 1 - rate, x.shape).astype(jnp.float32)
    return x * keep / jnp.where(rate < 1, 1 - rate, 1)
