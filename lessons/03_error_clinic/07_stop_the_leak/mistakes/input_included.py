# expects: check values
# says: Your list of activations begins with the input. Only outputs of layers belong in it.
"""Begins the list with the input."""

import jax.numpy as jnp


def forward(params, x):
    activations = [x]
    for w in params:
        activations.append(jnp.maximum(activations[-1] @ w, 0))
    return activations[-1], activations
