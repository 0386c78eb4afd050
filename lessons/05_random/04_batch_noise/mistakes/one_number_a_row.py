# expects: check all-different
# says: Your answer adds the same number to all elements of a row. Each element needs its own.
"""Draws one number for each row."""

import jax
import jax.numpy as jnp


def noisy(key, row):
    return row + jax.random.normal(key, row.shape)


def add_noise(key, xs):
    return xs + jax.random.normal(key, (len(xs), 1))
