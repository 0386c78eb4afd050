# expects: check values
# says: Your rows do not hold the two coordinates of one pixel: all the first coordinates come
#     before all the second ones, and `reshape` cuts this list into pairs.
"""Stacks along the first axis and reshapes."""

import jax.numpy as jnp


def grid(height, width):
    down = (jnp.arange(height) + 0.5) / height * 2 - 1
    right = (jnp.arange(width) + 0.5) / width * 2 - 1
    return jnp.stack(jnp.meshgrid(down, right, indexing="ij")).reshape(-1, 2)
