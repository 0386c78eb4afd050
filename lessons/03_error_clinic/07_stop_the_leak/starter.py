"""A tracer that got away: a network that shows its inner layers."""

import jax.numpy as jnp

ACTIVATIONS = []


def forward(params, x):
    """Return the output of the last layer, and a list of the outputs of all layers."""
    for w in params:
        x = jnp.maximum(x @ w, 0)
        # TODO: this list is still there when the trace is over.
        ACTIVATIONS.append(x)
    return x, ACTIVATIONS
