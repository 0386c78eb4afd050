# expects: check values
# says: Your answer is the mean of the temperatures, not the highest of them.
"""Takes the mean."""

import jax.numpy as jnp


def warmest(degrees):
    return jnp.mean(degrees)
