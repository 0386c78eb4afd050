# expects: attribute-typo at 8
"""Saves the file as it is."""

import jax.numpy as jnp


def warmest(degrees):
    return jnp.___(degrees)
