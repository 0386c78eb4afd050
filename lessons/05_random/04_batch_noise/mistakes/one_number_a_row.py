# expects: check all-different
"""Draws one number for each row."""

import jax
import jax.numpy as jnp


def noisy(key, row):
    return row + jax.random.normal(key, row.shape)


def add_noise(key, xs):
    return xs + jax.random.normal(key, (len(xs), 1))
