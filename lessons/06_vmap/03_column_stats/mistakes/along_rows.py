# expects: check values
# says: Your answer standardizes rows. Each column should have mean 0 and standard deviation 1.
"""Maps over the rows."""

import jax
import jax.numpy as jnp


def standardize(column):
    return (column - column.mean()) / column.std()


def standardize_columns(m):
    return jax.vmap(standardize)(m)
