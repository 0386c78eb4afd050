# expects: check values
"""Averages the values, not the positions."""

import jax
import jax.numpy as jnp


def soft_argmax(x, beta):
    return jnp.sum(jax.nn.softmax(beta * x) * x)
