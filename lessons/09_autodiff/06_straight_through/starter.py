"""Straight through: round, and let the gradient pass."""

import jax
import jax.numpy as jnp


def round_ste(x):
    """Return x rounded to whole numbers, with the gradient of x."""
    # TODO: the value is right. The gradient is 0 everywhere.
    return jnp.round(x)
