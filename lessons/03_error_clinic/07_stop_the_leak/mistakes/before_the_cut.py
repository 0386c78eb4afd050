# expects: check values
# says: Your activations still have negative elements: they are the products and not the outputs
#     of the layers.
"""Keeps what comes before the negatives are replaced."""

import jax.numpy as jnp


def forward(params, x):
    activations = []
    for w in params:
        product = x @ w
        activations.append(product)
        x = jnp.maximum(product, 0)
    return x, activations
