# expects: scan-over-python-list at 15
"""Takes the layers apart, and scans the list."""

import jax.numpy as jnp
from jax import lax


def deep_mlp(stacked, x):
    depth = stacked["W"].shape[0]
    layers = [{"W": stacked["W"][i], "b": stacked["b"][i]} for i in range(depth)]

    def layer(h, params):
        return jnp.tanh(h @ params["W"] + params["b"]), None

    return lax.scan(layer, x, layers)[0]
