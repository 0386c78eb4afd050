# expects: check values
# says: A NaN in `x` that is not its first element goes unnoticed.
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
