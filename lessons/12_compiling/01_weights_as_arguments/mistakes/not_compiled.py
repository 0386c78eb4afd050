# expects: check traces-once
# says: Your `forward` runs its Python in every call. The function that `make_model` returns
#     should be compiled, once.
"""Compiles nothing."""

import jax
import jax.numpy as jnp


def make_model(W):
    def forward(weights, x):
        return jnp.tanh(x @ weights)

    return forward, W
