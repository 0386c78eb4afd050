# expects: TypeError at 8
"""Compares two arrays element by element, and has only one."""

import jax.numpy as jnp


def warmest(degrees):
    return jnp.maximum(degrees)
