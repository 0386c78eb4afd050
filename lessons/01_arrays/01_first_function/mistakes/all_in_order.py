# expects: check values
# says: Your answer is the whole array. What is asked for is one number, the highest.
"""Sorts the temperatures."""

import jax.numpy as jnp


def warmest(degrees):
    return jnp.sort(degrees)
