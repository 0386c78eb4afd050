"""Your first function: the highest of some temperatures."""

import jax.numpy as jnp


def warmest(degrees):
    """Return the highest of the temperatures in degrees."""
    return jnp.___(degrees)  # TODO: put one word in place of ___, and save.
