# expects: check values
# says: Your answer is a position, an integer that jumps. A smooth answer lies between positions.
"""Sorts the positions, which are integers."""

import jax.numpy as jnp


def soft_argmax(x, beta):
    return jnp.argsort(beta * x)[-1]
