# expects: check values
# says: Your answer uses the mean and the deviation of each row. They should be those of each
#     column.
"""Takes the mean along the wrong axis."""

import jax
import jax.numpy as jnp


def standardize(column):
    return (column - column.mean()) / column.std()


def standardize_columns(m):
    return (m - m.mean(axis=1, keepdims=True)) / m.std(axis=1, keepdims=True)
