# expects: check biases
# says: Your biases are not 0 at the start.
"""Draws the biases too."""

from itertools import pairwise

import jax
import jax.numpy as jnp


def init(key, sizes):
    keys = jax.random.split(key, 2 * (len(sizes) - 1))
    return [
        {
            "w": jax.random.normal(one, (a, b)) * (2 / a) ** 0.5,
            "b": jax.random.normal(other, (b,)),
        }
        for one, other, a, b in zip(keys[::2], keys[1::2], sizes[:-1], sizes[1:], strict=True)
    ]
