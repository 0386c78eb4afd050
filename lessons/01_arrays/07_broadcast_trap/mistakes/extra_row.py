# expects: check values
# says: Your answer is the mean of a whole table: each prediction is compared with every truth.
#     Prediction k belongs to truth k only.
"""Gives the truths another axis, in the wrong place."""

import jax.numpy as jnp


def mse(pred, y):
    return jnp.mean((pred - y[None, :]) ** 2)
