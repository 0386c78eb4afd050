# expects: check constants
# says: Your numbers are right, but the weights that the model was made with are a constant of the
#     program. It needs only the ones it is called with.
"""Adds the change to the weights it knows."""

import jax
import jax.numpy as jnp


def make_model(W):
    @jax.jit
    def forward(weights, x):
        return jnp.tanh(x @ W + x @ (weights - W))

    return forward, W
