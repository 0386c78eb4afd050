# expects: check values
# says: Your answer divides what is kept by the share that is dropped. Divide by the share that is
#     kept, so that the mean stays as it is.
"""Divides by the share that is dropped."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    if not train:
        return x
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x / rate, 0)
