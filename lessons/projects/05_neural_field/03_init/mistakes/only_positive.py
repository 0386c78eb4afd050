# expects: check scale
# says: Your weights are all positive, so the sums of all units are alike and large. Draw around
#     0.
"""Draws between 0 and 1."""

from itertools import pairwise

import jax
import jax.numpy as jnp


def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        {"w": jax.random.uniform(key, (a, b)) * (6 / a) ** 0.5, "b": jnp.zeros(b)}
        for key, (a, b) in zip(keys, pairwise(sizes), strict=True)
    ]
