# expects: check values
# says: Your answer is the place of the highest temperature, counted from 0. What is asked for is
#     the temperature itself.
"""Says where the highest temperature is."""

import jax.numpy as jnp


def warmest(degrees):
    return jnp.argmax(degrees)
