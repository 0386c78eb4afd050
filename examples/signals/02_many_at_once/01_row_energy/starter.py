"""A table of signals."""

import jax
import jax.numpy as jnp


def energy(row):
    """Return the mean of the squares of one row."""
    return jnp.mean(row**2)


def row_energy(table):
    """Return the mean of the squares of each row."""
    # TODO: this returns one number for all rows.
    return energy(table)
