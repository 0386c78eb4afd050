# expects: check values
# says: A result has many elements, and you ask for one answer about all of them. Any of them may
#     be NaN.
"""Asks a whole array for one answer."""

import jax.numpy as jnp


def first_bad_layer(layers, x):
    for index, layer in enumerate(layers):
        x = layer(x)
        if jnp.isnan(x):
            return index
    return -1
