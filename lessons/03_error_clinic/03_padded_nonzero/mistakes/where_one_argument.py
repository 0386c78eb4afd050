# expects: missing-static-size at 8
"""Finds all, then takes the first ones."""

import jax.numpy as jnp


def positive_indices(x, size):
    return jnp.where(x > 0)[0][:size]
