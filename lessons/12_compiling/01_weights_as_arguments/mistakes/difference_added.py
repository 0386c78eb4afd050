# expects: check constants
"""Adds the change to the weights it knows."""

import jax
import jax.numpy as jnp


def make_model(W):
    @jax.jit
    def forward(weights, x):
        return jnp.tanh(x @ W + x @ (weights - W))

    return forward, W
