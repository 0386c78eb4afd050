# expects: ValueError at 13
"""Puts the batch at axis 1 of an answer with one axis."""

import jax
import jax.numpy as jnp


def standardize(column):
    return (column - column.mean()) / column.std()


def standardize_columns(m):
    means = jax.vmap(jnp.mean, in_axes=1, out_axes=1)(m)
    return (m - means) / m.std(axis=0)
