# expects: check independent
# says: All units of your layer have the same weights, so they all learn the same. Draw a number
#     for each entry.
"""Draws a column and repeats it."""

from itertools import pairwise

import jax
import jax.numpy as jnp


def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        {
            "w": jnp.repeat(jax.random.normal(key, (a, 1)), b, axis=1) * (2 / a) ** 0.5,
            "b": jnp.zeros(b),
        }
        for key, (a, b) in zip(keys, pairwise(sizes), strict=True)
    ]
