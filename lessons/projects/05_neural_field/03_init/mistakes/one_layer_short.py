# expects: check values
# says: A layer is missing. Four sizes have three pairs of neighbours, and the pair at the end is
#     one of them.
"""Forgets the last layer."""

from itertools import pairwise

import jax
import jax.numpy as jnp


def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 2)
    return [
        {"w": jax.random.normal(key, (a, b)) * (2 / a) ** 0.5, "b": jnp.zeros(b)}
        for key, a, b in zip(keys, sizes[:-2], sizes[1:-1], strict=True)
    ]
