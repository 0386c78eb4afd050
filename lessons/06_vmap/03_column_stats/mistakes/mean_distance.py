# expects: check values
# says: Your answer divides by something other than the standard deviation, which is the root of
#     the mean of the squares.
"""Divides by the mean distance from the mean."""

import jax.numpy as jnp


def standardize_columns(m):
    centred = m - m.mean(axis=0)
    return centred / jnp.abs(centred).mean(axis=0)
