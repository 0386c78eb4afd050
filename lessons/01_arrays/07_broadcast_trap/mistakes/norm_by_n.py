# expects: check values
# says: Your answer is the length of the vector of differences, divided by `n`. The mean squared
#     error takes no root.
"""Divides the norm of the difference by n."""

import jax
import jax.numpy as jnp


def mse(pred, y):
    return jnp.linalg.norm(pred[:, 0] - y) / len(y)
