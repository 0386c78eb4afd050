# expects: check dtype
"""Makes the mask an array of float32."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    if not train:
        return x
    keep = jax.random.bernoulli(key, 1 - rate, x.shape).astype(jnp.float32)
    return x * keep / jnp.where(rate < 1, 1 - rate, 1)
