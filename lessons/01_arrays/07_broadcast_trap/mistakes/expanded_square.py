# expects: check values
# says: Your answer loses the small differences of large numbers: the squares are rounded before
#     they are subtracted. Subtract first, then square.
"""Expands the square, and subtracts large numbers in the end."""

import jax.numpy as jnp


def mse(pred, y):
    p = pred[:, 0]
    return jnp.mean(p**2) - 2 * jnp.mean(p * y) + jnp.mean(y**2)
