# expects: check equations
# says: Your values are right, but each column adds equations to the program. Map over the columns
#     instead.
"""Loops over the columns in Python."""

import jax
import jax.numpy as jnp


def standardize(column):
    return (column - column.mean()) / column.std()


def standardize_columns(m):
    return jnp.stack([standardize(m[:, j]) for j in range(m.shape[1])], axis=1)
