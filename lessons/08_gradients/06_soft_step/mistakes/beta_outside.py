# expects: check values
# says: `beta` multiplies your answer, so it changes its size and not the sharpness of the
#     weights.
"""Multiplies the weights by beta, not the scores."""

import jax
import jax.numpy as jnp


def soft_argmax(x, beta):
    return jnp.sum(beta * jax.nn.softmax(x) * jnp.arange(x.shape[0]))
