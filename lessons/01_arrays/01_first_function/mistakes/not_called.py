# expects: check values
# says: Your answer is the function itself. The parentheses call it with the temperatures.
"""Names the function without calling it."""

import jax.numpy as jnp


def warmest(degrees):
    return jnp.max
