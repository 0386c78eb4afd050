# expects: check prints
# says: Your line shows the whole array, not its sum.
"""Prints what is summed instead of the sum."""

import jax
import jax.numpy as jnp


def traced_sum(x):
    jax.debug.print("s={}", x)
    return jnp.sum(x)
