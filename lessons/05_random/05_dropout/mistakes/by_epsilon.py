# expects: check values
# says: Your answer scales a little too little: something was added to the divisor for all rates.
#     Only a rate of 1 needs another divisor.
"""Adds a small number to the divisor, which scales too little at high rates."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    if not train:
        return x
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x / (1 - rate + 1e-2), 0)
