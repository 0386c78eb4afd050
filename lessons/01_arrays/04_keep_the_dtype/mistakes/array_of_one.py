# expects: check values
"""Multiplies by an array of one element."""

import jax.numpy as jnp


def halve(x):
    return x * jnp.array([0.5])
