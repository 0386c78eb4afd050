# expects: check values
# says: You find a NaN where an infinity and a 0 meet: their product is NaN, though no element is.
"""Multiplies the elements, and an infinity by a zero."""

import jax.numpy as jnp


def first_bad_layer(layers, x):
    if jnp.isnan(x).any():
        return -1
    for index, layer in enumerate(layers):
        x = layer(x)
        if jnp.isnan(jnp.prod(x)):
            return index
    return -1
