# expects: unhashable-static at 9
"""Makes the weights static."""

import jax
import jax.numpy as jnp


def make_model(W):
    forward = jax.jit(lambda weights, x: jnp.tanh(x @ weights), static_argnums=0)
    return forward, W
