# expects: check values
# says: Your answer divides by `n - 1`. A mean divides by the number of predictions, even when
#     there is only one.
"""Divides by n - 1, as for a sample variance."""

import jax.numpy as jnp


def mse(pred, y):
    return jnp.sum((pred[:, 0] - y) ** 2) / (len(y) - 1)
