# expects: check equations
# says: Your values are right, but each pixel adds equations to the program. Compute with the
#     whole list of rows and the whole list of columns.
"""Loops over the pixels in Python."""

import jax.numpy as jnp


def grid(height, width):
    places = []
    for i in range(height):
        for j in range(width):
            down = (i + jnp.float32(0.5)) / height * 2 - 1
            right = (j + jnp.float32(0.5)) / width * 2 - 1
            places.append(jnp.stack([jnp.asarray(down), jnp.asarray(right)]))
    return jnp.stack(places)
