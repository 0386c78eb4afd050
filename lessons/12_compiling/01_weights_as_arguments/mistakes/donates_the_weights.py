# expects: check weights-stay
# says: Your numbers are right, but a call may delete the weights that went in. They are donated,
#     and the next call needs them again.
"""Gives the memory of the weights away."""

import jax
import jax.numpy as jnp


def make_model(W):
    return jax.jit(lambda weights, x: jnp.tanh(x @ weights), donate_argnums=0), W
