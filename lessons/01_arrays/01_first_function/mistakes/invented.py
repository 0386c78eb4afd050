# expects: attribute-typo at 8
"""Guesses a name that `jnp` does not have."""

import jax.numpy as jnp


def warmest(degrees):
    return jnp.highest(degrees)
