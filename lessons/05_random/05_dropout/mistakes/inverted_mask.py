# expects: check values
"""Takes the mask of what is dropped for the mask of what is kept."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    if not train:
        return x
    keep = jax.random.bernoulli(key, rate, x.shape)
    kept = jnp.where(rate < 1, 1 - rate, 1)
    return jnp.where(keep, x / kept, 0)
