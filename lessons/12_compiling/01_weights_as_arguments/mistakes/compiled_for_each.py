# expects: check traces-once
"""Compiles a closure for the weights of each call."""

import jax
import jax.numpy as jnp


def make_model(W):
    def forward(weights, x):
        return jax.jit(lambda x: jnp.tanh(x @ weights))(x)

    return forward, W
