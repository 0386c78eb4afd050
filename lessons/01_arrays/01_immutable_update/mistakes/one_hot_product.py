# expects: check dtype
"""Takes the old element out and puts the new one in, with an array of another dtype."""

import jax.numpy as jnp


def replace_at(x, i, v):
    there = (jnp.arange(x.shape[0]) == i).astype(jnp.float32)
    return x * (1 - there) + v * there
