"""Depth that costs nothing to compile: layers in a loop of JAX."""

import jax.numpy as jnp


def deep_mlp(stacked, x):
    """Return what the last of the stacked layers gives for x."""
    h = x
    # TODO: each layer is written into the program. Write one, for all of them.
    for W, b in zip(stacked["W"], stacked["b"], strict=True):
        h = jnp.tanh(h @ W + b)
    return h
