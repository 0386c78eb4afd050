# expects: check jaxpr
# says: No call ran: a table has the axes 0 and 1. There is no axis 2.
"""Counts the axes from 1."""

import jax
import jax.numpy as jnp


def standardize(column):
    return (column - column.mean()) / column.std()


def standardize_columns(m):
    return jax.vmap(standardize, in_axes=2, out_axes=2)(m)
