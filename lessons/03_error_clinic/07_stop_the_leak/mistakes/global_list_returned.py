# expects: leaked-by-append at 12
"""Collects in a list of the module, and returns that: the first trace is in the second answer."""

import jax.numpy as jnp

ACTIVATIONS = []


def forward(params, x):
    for w in params:
        x = jnp.maximum(x @ w, 0)
        ACTIVATIONS.append(x)
    return x, ACTIVATIONS
