# expects: check values
# says: Your coordinates are between 0 and 1. The image reaches from -1 to 1 in both directions.
"""Does not scale to [-1, 1]."""

import jax.numpy as jnp


def grid(height, width):
    down = (jnp.arange(height) + 0.5) / height
    right = (jnp.arange(width) + 0.5) / width
    return jnp.stack(jnp.meshgrid(down, right, indexing="ij"), axis=-1).reshape(-1, 2)
