# expects: check traces-once
# says: Your numbers are right, but new weights are compiled again. Weights that go in as an
#     argument share one program.
"""Compiles a closure for the weights of each call."""

import jax
import jax.numpy as jnp


def make_model(W):
    def forward(weights, x):
        return jax.jit(lambda x: jnp.tanh(x @ weights))(x)

    return forward, W
