# expects: traced-bool-in-if at 13
"""Compiles the layer together with the test."""

import jax
import jax.numpy as jnp


def first_bad_layer(layers, x):
    for index, layer in enumerate(layers):

        @jax.jit
        def is_bad(x):
            if jnp.isnan(layer(x)).any():
                return True
            return False

        if is_bad(x):
            return index
        x = layer(x)
    return -1
