"""Print what runs: a line for each call, with a value in it."""

import jax
import jax.numpy as jnp


def traced_sum(x):
    """Return the sum of x, and print it at every call."""
    s = jnp.sum(x)
    # The string is plain: the program fills in the braces when it runs.
    jax.debug.print("s={}", s)
    return s
