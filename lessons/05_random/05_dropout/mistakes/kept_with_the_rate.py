# expects: check values
# says: Your answer keeps what should be dropped: at rate 0 everything is 0. With which
#     probability should the mask be true?
"""Keeps with the probability of dropping, and divides by 0 at a rate of 1."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    if not train:
        return x
    keep = jax.random.bernoulli(key, rate, x.shape)
    return jnp.where(keep, x / (1 - rate), 0)
