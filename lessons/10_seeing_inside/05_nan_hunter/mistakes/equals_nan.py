# expects: check values
# says: Your answer is always -1. JAX raises nothing for a NaN unless it is told to, and a NaN is
#     equal to nothing, not even to itself.
"""Compares with NaN, which equals nothing."""

import jax.numpy as jnp


def first_bad_layer(layers, x):
    for index, layer in enumerate(layers):
        x = layer(x)
        if (x == jnp.nan).any():
            return index
    return -1
