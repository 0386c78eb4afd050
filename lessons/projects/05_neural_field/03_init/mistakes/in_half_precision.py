# expects: check float32
# says: Your weights are bfloat16. The products will be computed in 16 bits, but the weights are
#     kept in 32: a small step would not change a weight of 8 bits.
"""Makes the weights bfloat16."""

from itertools import pairwise

import jax
import jax.numpy as jnp


def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        {
            "w": jax.random.normal(key, (a, b), jnp.bfloat16) * (2 / a) ** 0.5,
            "b": jnp.zeros(b, jnp.bfloat16),
        }
        for key, (a, b) in zip(keys, pairwise(sizes), strict=True)
    ]
