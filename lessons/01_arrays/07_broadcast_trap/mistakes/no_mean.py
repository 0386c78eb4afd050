# expects: check values
# says: Your answer adds up the squares and does not divide. A mean divides by the number of
#     predictions.
"""Adds up and does not divide."""

import jax.numpy as jnp


def mse(pred, y):
    return jnp.sum((pred[:, 0] - y) ** 2)
