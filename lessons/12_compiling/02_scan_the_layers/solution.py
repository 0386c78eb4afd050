"""Depth that costs nothing to compile: layers in a loop of JAX."""

import jax.numpy as jnp
from jax import lax


def deep_mlp(stacked, x):
    """Return what the last of the stacked layers gives for x."""

    def layer(h, params):
        return jnp.tanh(h @ params["W"] + params["b"]), None

    h, _ = lax.scan(layer, x, stacked)  # slices both arrays along axis 0
    return h
