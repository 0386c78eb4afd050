"""Gives the axis."""

import jax.numpy as jnp


def row_energy(table):
    return jnp.mean(table**2, axis=-1)
