# expects: check values
# says: Your answer uses the mean and the deviation of each row. They should be those of each
#     column.
"""Maps over the rows."""

import jax
import jax.numpy as jnp


def standardize(column):
    return (column - column.mean()) / column.std()


def standardize_columns(m):
    return jax.vmap(standardize)(m)
