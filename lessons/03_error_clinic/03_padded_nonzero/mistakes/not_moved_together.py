# expects: check values
"""Marks the finds where they are; they are not at the front."""

import jax.numpy as jnp


def positive_indices(x, size):
    return jnp.where(x > 0, jnp.arange(x.size), -1)[:size]
