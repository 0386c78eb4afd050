# expects: check values
# says: You blame a layer for an infinity: `jnp.isfinite` is false there too. Only a NaN is a fault.
"""Takes infinity for a fault, and looks at the input once."""

import jax.numpy as jnp


def first_bad_layer(layers, x):
    if jnp.isnan(x).any():
        return -1
    for index, layer in enumerate(layers):
        x = layer(x)
        if not jnp.isfinite(x).all():
            return index
    return -1
