# expects: check values
# says: If no layer is to blame, you return None. The answer is then -1.
"""Returns nothing when nothing is found."""

import jax.numpy as jnp


def first_bad_layer(layers, x):
    for index, layer in enumerate(layers):
        if jnp.isnan(x).any():
            return -1
        x = layer(x)
        if jnp.isnan(x).any():
            return index
