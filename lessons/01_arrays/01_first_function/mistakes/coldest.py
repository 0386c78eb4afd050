# expects: check values
# says: Your answer is the lowest temperature. `jnp.min` finds the smallest number of an array.
"""Takes the smallest number."""

import jax.numpy as jnp


def warmest(degrees):
    return jnp.min(degrees)
