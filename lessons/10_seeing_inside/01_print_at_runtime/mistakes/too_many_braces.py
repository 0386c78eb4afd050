# expects: debug-print-format at 10
"""Has one pair of braces too many."""

import jax
import jax.numpy as jnp


def traced_sum(x):
    s = jnp.sum(x)
    jax.debug.print("s={} of {}", s)
    return s
