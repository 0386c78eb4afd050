# expects: leaked-by-closure at 16
"""Keeps the outputs in a name of the enclosing function."""

import jax.numpy as jnp


def make_forward():
    latest = None

    def run(params, x):
        nonlocal latest
        activations = []
        for w in params:
            x = jnp.maximum(x @ w, 0)
            activations.append(x)
        latest = x
        return x, activations

    return run


forward = make_forward()
