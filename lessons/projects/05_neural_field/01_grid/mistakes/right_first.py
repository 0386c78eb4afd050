# expects: check values
# says: In each of your places the coordinate to the right comes first. The one that goes down
#     comes first.
"""Puts x before y."""

import jax.numpy as jnp


def grid(height, width):
    down = (jnp.arange(height) + 0.5) / height * 2 - 1
    right = (jnp.arange(width) + 0.5) / width * 2 - 1
    down, right = jnp.meshgrid(down, right, indexing="ij")
    return jnp.stack([right, down], axis=-1).reshape(-1, 2)
