# expects: check values
# says: Your places are the upper left corners of the pixels. Half a pixel is missing, down and to
#     the right.
"""Takes the corner of each pixel."""

import jax.numpy as jnp


def grid(height, width):
    down = 2 * jnp.arange(height) / height - 1
    right = 2 * jnp.arange(width) / width - 1
    return jnp.stack(jnp.meshgrid(down, right, indexing="ij"), axis=-1).reshape(-1, 2)
