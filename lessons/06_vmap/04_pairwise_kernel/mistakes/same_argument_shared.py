# expects: check values
"""Shares the same argument twice."""

import jax
import jax.numpy as jnp


def gram(k, X, Y):
    row = jax.vmap(k, in_axes=(None, 0))
    return jax.vmap(row, in_axes=(None, 0))(X, Y)
