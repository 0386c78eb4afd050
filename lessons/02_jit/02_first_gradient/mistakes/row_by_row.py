# expects: check values
# says: `jax.vmap` calls `height` with each coordinate alone, and `height` is a function of all of
#     them together. `jax.grad` alone handles arrays of any shape.
"""Maps over the coordinates, as if each had a height of its own."""

import jax


def uphill(height, place):
    return jax.vmap(jax.grad(height))(place)
