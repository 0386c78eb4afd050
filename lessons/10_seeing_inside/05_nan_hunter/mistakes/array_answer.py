# expects: check integer
# says: The index is right, but it comes as an array. Return a Python integer.
"""Returns an array of one number."""

import jax.numpy as jnp


def first_bad_layer(layers, x):
    bad = [jnp.isnan(x).any()]
    for layer in layers:
        x = layer(x)
        bad.append(jnp.isnan(x).any())
    return jnp.argmax(jnp.array(bad)) - 1
