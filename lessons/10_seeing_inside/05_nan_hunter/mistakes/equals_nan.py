# expects: check values
"""Compares with NaN, which equals nothing."""

import jax.numpy as jnp


def first_bad_layer(layers, x):
    for index, layer in enumerate(layers):
        x = layer(x)
        if (x == jnp.nan).any():
            return index
    return -1
