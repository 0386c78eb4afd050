# expects: check values
# says: Your answer divides by the deviation of a sample, with `n - 1`. `jnp.std` divides by `n`
#     by default.
"""Divides by the deviation of a sample."""

import jax
import jax.numpy as jnp


def standardize(column):
    return (column - column.mean()) / column.std()


def standardize_columns(m):
    return (m - m.mean(axis=0)) / m.std(axis=0, ddof=1)
