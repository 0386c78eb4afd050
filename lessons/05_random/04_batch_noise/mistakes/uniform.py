# expects: check adds
# says: Your noise is not from the standard normal distribution: it lies between 0 and 1.
"""Draws noise of another kind."""

import jax
import jax.numpy as jnp


def noisy(key, row):
    return row + jax.random.normal(key, row.shape)


def add_noise(key, xs):
    return xs + jax.random.uniform(key, xs.shape)
