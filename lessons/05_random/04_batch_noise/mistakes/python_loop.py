# expects: check equations
# says: Your values are right, but each row adds equations to the program. Map over the rows
#     instead.
"""Loops over the rows in Python."""

import jax
import jax.numpy as jnp


def noisy(key, row):
    return row + jax.random.normal(key, row.shape)


def add_noise(key, xs):
    keys = jax.random.split(key, len(xs))
    return jnp.stack([noisy(k, row) for k, row in zip(keys, xs, strict=True)])
