# expects: check values
# says: The switch works, and its error is not caught: it is neither a `ValueError` nor a
#     `RuntimeError`.
"""Catches the wrong class."""

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
