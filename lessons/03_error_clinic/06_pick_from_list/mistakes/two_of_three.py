# expects: check values
# says: Your answer never uses the third function. A boolean chooses between two only.
"""Chooses between the first and the second."""

import jax.numpy as jnp
from jax import lax


def apply_kth(i, x):
    return lax.cond(i == 0, jnp.sin, jnp.cos, x)
