# expects: float-on-tracer at 11
"""Keeps numbers, not tracers."""

import jax.numpy as jnp


def forward(params, x):
    activations = []
    for w in params:
        x = jnp.maximum(x @ w, 0)
        activations.append([float(v) for v in x])
    return x, activations
