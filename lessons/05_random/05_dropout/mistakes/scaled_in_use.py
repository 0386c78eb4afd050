# expects: check values
# says: Your answer scales when `train` is false. The scaling belongs into training, so that `x`
#     comes back unchanged otherwise.
"""Scales in use instead of in training, as the first paper did."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    if not train:
        return x * (1 - rate)
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x, 0)
