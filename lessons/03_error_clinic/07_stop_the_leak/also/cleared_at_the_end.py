"""Fills a list of the module, and empties it before the call is over."""

import jax.numpy as jnp

SEEN = []


def forward(params, x):
    for w in params:
        x = jnp.maximum(x @ w, 0)
        SEEN.append(x)
    activations = SEEN[:]
    SEEN.clear()
    return x, activations
