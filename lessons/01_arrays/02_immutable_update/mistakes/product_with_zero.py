# expects: check values
# says: Your answer is NaN where the old element was infinite or NaN, because 0 times such an
#     element is NaN. The old element should take no part in what replaces it.
"""Builds an array of v's from the old elements."""

import jax.numpy as jnp


def replace_at(x, i, v):
    return jnp.where(jnp.arange(x.shape[0]) == i, x * 0 + v, x).astype(x.dtype)
