# expects: scan-lengths-differ at 13
"""Thinks the layers of W lie along its last axis."""

import jax.numpy as jnp
from jax import lax


def deep_mlp(stacked, x):
    def layer(h, params):
        return jnp.tanh(h @ params["W"] + params["b"]), None

    W = jnp.moveaxis(stacked["W"], -1, 0)
    return lax.scan(layer, x, {"W": W, "b": stacked["b"]})[0]
