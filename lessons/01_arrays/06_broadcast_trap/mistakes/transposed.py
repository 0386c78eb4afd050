# expects: check rank-guard
"""Makes a row of the column, which is right by way of stretching."""

import jax.numpy as jnp


def mse(pred, y):
    return jnp.mean((pred.T - y) ** 2)
