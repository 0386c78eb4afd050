# expects: check values
"""Adds up and does not divide."""

import jax.numpy as jnp


def mse(pred, y):
    return jnp.sum((pred[:, 0] - y) ** 2)
