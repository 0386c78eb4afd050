# expects: traced-arange-bound at 10
"""Wants as many positions as there are weights above zero."""

import jax
import jax.numpy as jnp


def soft_argmax(x, beta):
    weights = jax.nn.softmax(beta * x)
    return jnp.sum(weights * jnp.arange(jnp.sum(weights >= 0)))
