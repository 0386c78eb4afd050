# expects: check values
"""Catches another class."""

import jax
import jax.numpy as jnp


def first_bad_layer(layers, x):
    if jnp.isnan(x).any():
        return -1
    with jax.debug_nans(True):
        for index, layer in enumerate(layers):
            try:
                x = layer(x)
            except ValueError:
                return index
    return -1
