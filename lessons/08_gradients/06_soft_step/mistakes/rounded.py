# expects: check values
"""Rounds the mean position, and makes it jump again."""

import jax
import jax.numpy as jnp


def soft_argmax(x, beta):
    weights = jax.nn.softmax(beta * x)
    return jnp.round(jnp.sum(weights * jnp.arange(x.shape[0])))
