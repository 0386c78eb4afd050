# expects: check values
# says: Your outermost places lie on the border of the image. The centre of a pixel is half a
#     pixel away from the border.
"""Begins and ends on the border."""

import jax.numpy as jnp


def grid(height, width):
    down = jnp.linspace(-1, 1, height)
    right = jnp.linspace(-1, 1, width)
    return jnp.stack(jnp.meshgrid(down, right, indexing="ij"), axis=-1).reshape(-1, 2)
