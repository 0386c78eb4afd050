# expects: leaked-by-append at 14
"""Returns the right answer, and keeps a history beside it."""

import jax.numpy as jnp

HISTORY = []


def forward(params, x):
    activations = []
    for w in params:
        x = jnp.maximum(x @ w, 0)
        activations.append(x)
        HISTORY.append(x)
    return x, activations
