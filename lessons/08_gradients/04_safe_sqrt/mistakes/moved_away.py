# expects: check gradient
"""Moves the vector away from zero."""

import jax.numpy as jnp


def safe_norm(x):
    return jnp.linalg.norm(x + 1e-12, axis=-1)
