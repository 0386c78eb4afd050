# expects: check prints
# says: A call whose sum is not positive prints nothing. Every call should print its line.
"""Prints only positive sums."""

import jax
import jax.numpy as jnp


def traced_sum(x):
    s = jnp.sum(x)
    jax.lax.cond(s > 0, lambda: jax.debug.print("s={}", s), lambda: None)
    return s
