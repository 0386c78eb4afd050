"""A tracer that got away: a network that shows its inner layers."""

import jax.numpy as jnp


def forward(params, x):
    """Return the output of the last layer, and a list of the outputs of all layers."""
    activations = []  # created here, so only the caller holds it when the call is over
    for w in params:
        x = jnp.maximum(x @ w, 0)
        activations.append(x)
    return x, activations
