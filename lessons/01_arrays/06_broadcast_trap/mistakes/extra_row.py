# expects: check values
"""Gives the truths another axis, in the wrong place."""

import jax.numpy as jnp


def mse(pred, y):
    return jnp.mean((pred - y[None, :]) ** 2)
