"""Makes a column of the truths."""

import jax.numpy as jnp


def mse(pred, y):
    return jnp.mean((pred - y[:, None]) ** 2)
