# expects: check values
# says: You always blame the last layer. The NaN may be older: the first layer whose result holds
#     one is to blame.
"""Looks at the end only, and blames the last layer."""

import jax.numpy as jnp


def first_bad_layer(layers, x):
    y = x
    for layer in layers:
        y = layer(y)
    return len(layers) - 1 if jnp.isnan(y).any() and not jnp.isnan(x).any() else -1
