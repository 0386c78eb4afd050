# expects: leaked-by-append at 14
"""Clears the list of the module before it is filled."""

import jax.numpy as jnp

SEEN = []


def forward(params, x):
    SEEN.clear()
    for w in params:
        x = jnp.maximum(x @ w, 0)
        # the last call's tracers stay in the list
        SEEN.append(x)
    return x, list(SEEN)
