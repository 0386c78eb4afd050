# expects: check values
"""Takes the mean and the deviation of the whole table."""

import jax
import jax.numpy as jnp


def standardize(column):
    return (column - column.mean()) / column.std()


def standardize_columns(m):
    return standardize(m)
