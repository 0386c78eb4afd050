# expects: check values
# says: Your weights have a row for each output. The network computes `x @ w`, so a row belongs to
#     each input.
"""Swaps inputs and outputs."""

from itertools import pairwise

import jax
import jax.numpy as jnp


def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        {"w": jax.random.normal(key, (b, a)) * (2 / a) ** 0.5, "b": jnp.zeros(b)}
        for key, (a, b) in zip(keys, pairwise(sizes), strict=True)
    ]
