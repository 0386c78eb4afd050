# expects: ValueError at 13
"""Says that all columns give the same."""

import jax
import jax.numpy as jnp


def standardize(column):
    return (column - column.mean()) / column.std()


def standardize_columns(m):
    return jax.vmap(standardize, in_axes=1, out_axes=None)(m)
