# expects: check drops
# says: Your answer scales too little at high rates: something was added to the divisor. Only a
#     rate of 1 needs another divisor.
"""Adds a tiny number to the divisor, which only shows near a rate of 1."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    if not train:
        return x
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x / (1 - rate + 1e-6), 0)
