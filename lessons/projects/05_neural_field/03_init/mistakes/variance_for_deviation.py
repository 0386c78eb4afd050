# expects: check scale
# says: The root is missing: `2 / a` is the variance of the weights, and you use it as their
#     deviation. Your weights are far too small.
"""Uses the variance as a factor."""

from itertools import pairwise

import jax
import jax.numpy as jnp


def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        {"w": jax.random.normal(key, (a, b)) * 2 / a, "b": jnp.zeros(b)}
        for key, (a, b) in zip(keys, pairwise(sizes), strict=True)
    ]
