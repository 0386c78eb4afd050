# expects: check values
# says: Your answer is a tuple with an array in it. The search returns one array for each axis;
#     `x` has one axis, and only its array is needed.
"""Returns the tuple, with its one array."""

import jax.numpy as jnp


def positive_indices(x, size):
    return jnp.where(x > 0, size=size, fill_value=-1)
