# expects: check jit
# says: Your `forward` cannot be called with weights and `x`. Without a parameter for the weights
#     they become part of the program.
"""Returns a forward that takes x alone."""

import jax
import jax.numpy as jnp


def make_model(W):
    return jax.jit(lambda x: jnp.tanh(x @ W)), W
