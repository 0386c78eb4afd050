# expects: check drops
# says: Your answer drops the right share, but does not scale what is kept, so the mean shrinks.
"""Forgets to scale what is kept."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    if not train:
        return x
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x, 0)
