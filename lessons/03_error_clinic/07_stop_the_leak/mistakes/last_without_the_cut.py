# expects: check values
# says: Your last layer does not replace negative elements by 0. All layers do the same, the last
#     one included.
"""Leaves the negative elements of the last layer."""

import jax.numpy as jnp


def forward(params, x):
    activations = []
    for w in params[:-1]:
        x = jnp.maximum(x @ w, 0)
        activations.append(x)
    x = x @ params[-1]
    return x, [*activations, x]
