"""Dropout: train and eval."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    """Return x; in training, with a random part set to 0 and the rest scaled up."""
    if not train:
        return x
    # TODO: scale the rest, so that the mean is preserved.
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x, 0)
