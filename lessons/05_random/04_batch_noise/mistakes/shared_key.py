# expects: check all-different
# says: Your answer adds the same row of noise to every row. Each row needs its own.
"""Shares one key among all rows."""

import jax
import jax.numpy as jnp


def noisy(key, row):
    return row + jax.random.normal(key, row.shape)


def add_noise(key, xs):
    return jax.vmap(noisy, in_axes=(None, 0))(key, xs)
