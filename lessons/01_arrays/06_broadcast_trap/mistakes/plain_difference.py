# expects: check values
"""Subtracts, and takes what comes."""

import jax.numpy as jnp


def mse(pred, y):
    return jnp.mean((pred - y) ** 2)
