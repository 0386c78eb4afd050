# expects: check values
# says: You blame a layer for an infinity: `jnp.isfinite` is false there too. Only a NaN is a fault.
"""Takes infinity for a fault."""

import jax.numpy as jnp


def first_bad_layer(layers, x):
    for index, layer in enumerate(layers):
        y = layer(x)
        if not jnp.isfinite(y).all() and jnp.isfinite(x).all():
            return index
        x = y
    return -1
