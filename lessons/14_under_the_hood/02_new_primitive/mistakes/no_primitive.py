# expects: check primitive
# says: Your answer is right, but there is no primitive `my_square` in the program. This lesson
#     asks for one of your own.
"""Composes what there is, which is nearly always right, and not the task."""

import jax.numpy as jnp


def square(x):
    return jnp.square(x)
