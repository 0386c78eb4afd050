"""Dropout: train and eval."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    """Return x; in training, with a random part set to 0 and the rest scaled up."""
    if not train:
        return x
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    kept = jnp.where(rate < 1, 1 - rate, 1)  # never 0, for the gradient
    return jnp.where(keep, x / kept, 0)
