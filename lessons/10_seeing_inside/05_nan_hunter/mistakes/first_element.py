# expects: check values
# says: If `x` holds a NaN anywhere, no layer made it, and the answer is -1.
"""Looks at the first element of x only."""

import jax.numpy as jnp


def first_bad_layer(layers, x):
    if jnp.isnan(x[0]):
        return -1
    for i, layer in enumerate(layers):
        x = layer(x)
        if jnp.isnan(x.min()):
            return i
    return -1
