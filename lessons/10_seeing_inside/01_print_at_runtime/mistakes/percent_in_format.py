# expects: debug-print-format at 10
"""Mixes the old format with the new print."""

import jax
import jax.numpy as jnp


def traced_sum(x):
    s = jnp.sum(x)
    jax.debug.print("s=%f", s)
    return s
