# expects: check independent
# says: Each of your layers begins with the same random numbers. Draw as many numbers as all
#     layers need together, or draw for each layer.
"""Cuts all layers from the start of one draw."""

from itertools import pairwise

import jax
import jax.numpy as jnp


def init(key, sizes):
    pairs = list(pairwise(sizes))
    numbers = jax.random.normal(key, (max(a * b for a, b in pairs),))
    return [
        {"w": numbers[: a * b].reshape(a, b) * (2 / a) ** 0.5, "b": jnp.zeros(b)} for a, b in pairs
    ]
