# expects: check values
# says: Your activations are a tuple. A list is required.
"""Returns a tuple where a list is required."""

import jax.numpy as jnp


def forward(params, x):
    activations = []
    for w in params:
        x = jnp.maximum(x @ w, 0)
        activations.append(x)
    return x, tuple(activations)
