# expects: check values
# says: Your answer is the whole array. The problem asks for one number: the highest.
"""Sorts the temperatures."""

import jax.numpy as jnp


def warmest(degrees):
    return jnp.sort(degrees)
