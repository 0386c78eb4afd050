# expects: check scale
# says: Your weights have a variance of `1 / a`. A ReLU sets half of the values to 0, and the
#     factor 2 makes up for that.
"""Leaves out the 2."""

from itertools import pairwise

import jax
import jax.numpy as jnp


def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        {"w": jax.random.normal(key, (a, b)) / a**0.5, "b": jnp.zeros(b)}
        for key, (a, b) in zip(keys, pairwise(sizes), strict=True)
    ]
