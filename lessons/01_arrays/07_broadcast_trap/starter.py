"""A column against a row: the mean squared error."""

import jax.numpy as jnp


def mse(pred, y):
    """Return the mean squared error of pred, of shape (n, 1), for y, of shape (n,)."""
    # TODO: this compares each prediction with each truth.
    return jnp.mean((pred - y) ** 2)
