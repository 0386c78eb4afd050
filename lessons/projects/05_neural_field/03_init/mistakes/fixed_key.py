# expects: check other-key
# says: Another key gives you the same weights: the key that you got is not used.
"""Makes a key of its own."""

from itertools import pairwise

import jax
import jax.numpy as jnp


def init(key, sizes):
    keys = jax.random.split(jax.random.key(0), len(sizes) - 1)
    return [
        {"w": jax.random.normal(key, (a, b)) * (2 / a) ** 0.5, "b": jnp.zeros(b)}
        for key, (a, b) in zip(keys, pairwise(sizes), strict=True)
    ]
