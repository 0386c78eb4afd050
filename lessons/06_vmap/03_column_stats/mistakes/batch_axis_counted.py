# expects: vmap-body-sees-one-example at 14
"""Counts the axes of the table inside."""

import jax
import jax.numpy as jnp


def standardize(column):
    return (column - column.mean()) / column.std()


def standardize_columns(m):
    def one(column):
        return (column - column.mean(axis=1)) / column.std(axis=1)

    return jax.vmap(one, in_axes=1, out_axes=1)(m)
