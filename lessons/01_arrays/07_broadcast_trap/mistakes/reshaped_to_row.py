# expects: check values
# says: Your answer is the mean of a whole table: each prediction is compared with every truth.
#     Prediction k belongs to truth k only.
"""Reshapes the wrong array, to the shape it had."""

import jax.numpy as jnp


def mse(pred, y):
    return jnp.mean((pred - y.reshape(-1)) ** 2)
