# expects: check values
"""Asks a whole array for one answer."""

import jax.numpy as jnp


def first_bad_layer(layers, x):
    for index, layer in enumerate(layers):
        x = layer(x)
        if jnp.isnan(x):
            return index
    return -1
