# expects: prng-key-reuse at 13
"""Draws every layer with the same key."""

from itertools import pairwise

import jax
import jax.numpy as jnp


def init(key, sizes):
    params = []
    for a, b in pairwise(sizes):
        w = jax.random.normal(key, (a, b)) * (2 / a) ** 0.5
        params.append({"w": w, "b": jnp.zeros(b)})
    return params
