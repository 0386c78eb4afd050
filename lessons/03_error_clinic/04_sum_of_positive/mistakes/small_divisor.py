# expects: check dtype
"""Counts in float32, which makes float32 of everything."""

import jax.numpy as jnp


def mean_of_positive(x):
    positive = x > 0
    count = jnp.maximum(positive.sum(), 1).astype(jnp.float32)
    return jnp.where(positive, x, 0).sum() / count
