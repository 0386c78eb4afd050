# expects: check values
"""Takes the last number for the one before the first."""

import jax.numpy as jnp


def difference(x):
    return x - jnp.roll(x, 1)
