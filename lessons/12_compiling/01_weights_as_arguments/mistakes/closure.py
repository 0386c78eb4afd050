# expects: check values
"""Uses the weights it was made with."""

import jax
import jax.numpy as jnp


def make_model(W):
    @jax.jit
    def forward(weights, x):
        return jnp.tanh(x @ W)

    return forward, W
