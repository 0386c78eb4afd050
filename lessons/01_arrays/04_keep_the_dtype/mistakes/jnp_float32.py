# expects: check dtype
"""Names a dtype where none was needed."""

import jax.numpy as jnp


def halve(x):
    return x * jnp.float32(0.5)
