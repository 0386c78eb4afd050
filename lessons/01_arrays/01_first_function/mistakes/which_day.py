# expects: check values
# says: Your answer is the position of the highest temperature, counted from 0. The problem asks for
#     the temperature itself.
"""Says where the highest temperature is."""

import jax.numpy as jnp


def warmest(degrees):
    return jnp.argmax(degrees)
