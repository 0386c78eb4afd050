# expects: check function
# says: `make_model` returns the pair in the other order. The function comes first, then the
#     weights.
"""Returns the weights first."""

import jax
import jax.numpy as jnp


def make_model(W):
    return W, jax.jit(lambda weights, x: jnp.tanh(x @ weights))
