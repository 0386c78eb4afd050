# expects: check jit
"""A forward that takes x alone."""

import jax
import jax.numpy as jnp


def make_model(W):
    return jax.jit(lambda x: jnp.tanh(x @ W)), W
