# expects: check all-different
# says: Your answer adds the same row of noise to every row. Each row needs its own.
"""Draws one row of noise and adds it to all."""

import jax
import jax.numpy as jnp


def noisy(key, row):
    return row + jax.random.normal(key, row.shape)


def add_noise(key, xs):
    return xs + jax.random.normal(key, xs.shape[1:])
