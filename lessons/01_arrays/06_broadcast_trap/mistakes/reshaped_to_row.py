# expects: check values
"""Reshapes the wrong one, to the shape that it had."""

import jax.numpy as jnp


def mse(pred, y):
    return jnp.mean((pred - y.reshape(-1)) ** 2)
