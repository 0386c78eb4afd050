# expects: check values
# says: Your answer uses one mean and one deviation for the whole table. Each column has its own.
"""Takes the mean and the deviation of the whole table."""

import jax
import jax.numpy as jnp


def standardize(column):
    return (column - column.mean()) / column.std()


def standardize_columns(m):
    return standardize(m)
