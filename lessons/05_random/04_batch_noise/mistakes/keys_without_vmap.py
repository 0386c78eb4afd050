# expects: key-array-for-key at 9
"""Passes all keys to one draw."""

import jax
import jax.numpy as jnp


def noisy(key, row):
    return row + jax.random.normal(key, row.shape)


def add_noise(key, xs):
    keys = jax.random.split(key, len(xs))
    return noisy(keys, xs)
