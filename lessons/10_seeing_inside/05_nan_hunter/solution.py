"""Where the NaN was born: the first layer with one in its result."""

import jax
import jax.numpy as jnp


def first_bad_layer(layers, x):
    """Return the index of the first layer whose result holds a NaN, or -1."""
    if jnp.isnan(x).any():
        return -1
    # The with statement restores the switch, whatever happens.
    with jax.debug_nans(True):
        for index, layer in enumerate(layers):
            try:
                x = layer(x)
            except FloatingPointError:
                return index
    return -1
