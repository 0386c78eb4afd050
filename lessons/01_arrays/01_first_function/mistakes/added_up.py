# expects: check values
# says: Your answer is the sum of all temperatures. `jnp.sum` adds them up.
"""Adds the temperatures up."""

import jax.numpy as jnp


def warmest(degrees):
    return jnp.sum(degrees)
