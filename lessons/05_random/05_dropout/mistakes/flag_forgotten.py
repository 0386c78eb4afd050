# expects: check values
# says: Your answer drops elements even when `train` is false. Then `x` should come back
#     unchanged.
"""Drops in use too."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x / jnp.where(rate < 1, 1 - rate, 1), 0)
