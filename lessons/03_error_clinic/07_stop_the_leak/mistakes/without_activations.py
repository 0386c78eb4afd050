# expects: check values
# says: Your list of activations is empty. It holds the output of each layer.
"""Stores nothing and returns too little."""

import jax.numpy as jnp


def forward(params, x):
    for w in params:
        x = jnp.maximum(x @ w, 0)
    return x, []
