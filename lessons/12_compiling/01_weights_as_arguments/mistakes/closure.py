# expects: check values
# says: Your answer ignores the weights it is called with, and uses those the model was made with.
#     They became part of the program when it was traced.
"""Uses the weights it was made with."""

import jax
import jax.numpy as jnp


def make_model(W):
    @jax.jit
    def forward(weights, x):
        return jnp.tanh(x @ W)

    return forward, W
