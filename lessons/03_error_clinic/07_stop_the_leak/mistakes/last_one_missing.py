# expects: check values
# says: Your list of activations lacks the output of the last layer. It belongs in it, too.
"""Leaves the last output out of the list."""

import jax.numpy as jnp


def forward(params, x):
    activations = []
    for w in params[:-1]:
        x = jnp.maximum(x @ w, 0)
        activations.append(x)
    return jnp.maximum(x @ params[-1], 0), activations
