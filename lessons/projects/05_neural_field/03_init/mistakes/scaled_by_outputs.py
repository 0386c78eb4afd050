# expects: check scale
# says: Your scale depends on the number of outputs. A sum has as many terms as the layer has
#     inputs, so these decide.
"""Scales by the number of outputs."""

from itertools import pairwise

import jax
import jax.numpy as jnp


def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        {"w": jax.random.normal(key, (a, b)) * (2 / b) ** 0.5, "b": jnp.zeros(b)}
        for key, (a, b) in zip(keys, pairwise(sizes), strict=True)
    ]
