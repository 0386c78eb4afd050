# expects: check values
"""Returns nothing when nothing is found."""

import jax.numpy as jnp


def first_bad_layer(layers, x):
    for index, layer in enumerate(layers):
        if jnp.isnan(x).any():
            return -1
        x = layer(x)
        if jnp.isnan(x).any():
            return index
