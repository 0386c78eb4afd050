"""A column against a row: the mean squared error."""

import jax.numpy as jnp


def mse(pred, y):
    """Return the mean squared error of pred, of shape (n, 1), for y, of shape (n,)."""
    # Both have shape (n,) now; without the index, (n, 1) - (n,) would be (n, n).
    return jnp.mean((pred[:, 0] - y) ** 2)
