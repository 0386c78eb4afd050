# expects: missing-return at 8
"""Finds the number and returns nothing."""

import jax.numpy as jnp


def warmest(degrees):
    jnp.max(degrees)
