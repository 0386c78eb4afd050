# expects: check prints
"""Prints what is summed, and not the sum."""

import jax
import jax.numpy as jnp


def traced_sum(x):
    jax.debug.print("s={}", x)
    return jnp.sum(x)
