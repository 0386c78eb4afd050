# expects: leaked-by-global at 15
"""Stores the last output in a name of the module."""

import jax.numpy as jnp

last = None


def forward(params, x):
    global last
    activations = []
    for w in params:
        x = jnp.maximum(x @ w, 0)
        activations.append(x)
    last = x
    return x, activations
