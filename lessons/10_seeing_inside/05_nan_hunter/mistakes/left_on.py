# expects: check settings
# says: After a layer was found, the switch of JAX is still on.
"""Leaves the switch on."""

import jax
import jax.numpy as jnp


def first_bad_layer(layers, x):
    if jnp.isnan(x).any():
        return -1
    jax.config.update("jax_debug_nans", True)
    for index, layer in enumerate(layers):
        try:
            x = layer(x)
        except FloatingPointError:
            return index
    jax.config.update("jax_debug_nans", False)
    return -1
