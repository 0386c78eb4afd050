# expects: debug-print-format at 10
"""Names the value in the braces only."""

import jax
import jax.numpy as jnp


def traced_sum(x):
    s = jnp.sum(x)
    jax.debug.print("s={s}", s)
    return s
