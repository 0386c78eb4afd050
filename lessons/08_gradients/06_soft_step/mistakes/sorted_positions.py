# expects: check values
"""Sorts the positions, which are integers."""

import jax.numpy as jnp


def soft_argmax(x, beta):
    return jnp.argsort(beta * x)[-1]
