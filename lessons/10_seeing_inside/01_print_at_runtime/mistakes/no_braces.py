# expects: debug-print-format at 10
"""Passes the value as to `print`."""

import jax
import jax.numpy as jnp


def traced_sum(x):
    s = jnp.sum(x)
    jax.debug.print("s=", s)
    return s
