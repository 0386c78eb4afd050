# expects: check values
"""Multiplies the weights by beta, not the scores."""

import jax
import jax.numpy as jnp


def soft_argmax(x, beta):
    return jnp.sum(beta * jax.nn.softmax(x) * jnp.arange(x.shape[0]))
