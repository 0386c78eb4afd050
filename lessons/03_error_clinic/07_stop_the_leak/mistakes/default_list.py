# expects: leaked-by-append at 10
"""Uses a list as a default, which is created once and kept."""

import jax.numpy as jnp


def forward(params, x, activations=[]):
    for w in params:
        x = jnp.maximum(x @ w, 0)
        activations.append(x)
    return x, list(activations[-len(params) :])
