# expects: leaked-by-attribute at 12
"""Stores the outputs as an attribute of the function."""

import jax.numpy as jnp


def forward(params, x):
    activations = []
    for w in params:
        x = jnp.maximum(x @ w, 0)
        activations.append(x)
    forward.activations = activations
    return x, activations
