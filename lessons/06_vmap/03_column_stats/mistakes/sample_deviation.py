# expects: check values
"""Divides by the deviation of a sample."""

import jax
import jax.numpy as jnp


def standardize(column):
    return (column - column.mean()) / column.std()


def standardize_columns(m):
    return (m - m.mean(axis=0)) / m.std(axis=0, ddof=1)
