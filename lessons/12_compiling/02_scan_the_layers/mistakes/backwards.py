# expects: check values
# says: Your answer goes through the layers from the last to the first. `h` is `x` before the
#     first layer.
"""Begins at the last layer."""

import jax.numpy as jnp
from jax import lax


def deep_mlp(stacked, x):
    def layer(h, params):
        return jnp.tanh(h @ params["W"] + params["b"]), None

    return lax.scan(layer, x, stacked, reverse=True)[0]
