# expects: check values
# says: You find a NaN where infinities of both signs meet: their sum is NaN, though no element
#     is.
"""Adds the elements up, and infinities of both signs with them."""

import jax.numpy as jnp


def first_bad_layer(layers, x):
    if jnp.isnan(jnp.sum(x)):
        return -1
    for i, layer in enumerate(layers):
        x = layer(x)
        if jnp.isnan(jnp.sum(x)):
            return i
    return -1
