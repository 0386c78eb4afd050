# expects: check values
"""Divides the sum of the table by n."""

import jax.numpy as jnp


def mse(pred, y):
    return jnp.sum((pred - y) ** 2) / len(y)
