# expects: check scale
# says: Your weights have a deviation of 1 in every layer. The sum of many such products is large,
#     and it grows from layer to layer.
"""Leaves out the scale."""

from itertools import pairwise

import jax
import jax.numpy as jnp


def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        {"w": jax.random.normal(key, (a, b)), "b": jnp.zeros(b)}
        for key, (a, b) in zip(keys, pairwise(sizes), strict=True)
    ]
