"""The axis is given to mean and std."""

import jax


def standardize(column):
    return (column - column.mean()) / column.std()


def standardize_columns(m):
    return (m - m.mean(axis=0)) / m.std(axis=0)
