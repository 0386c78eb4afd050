"""Print what runs: a line for each call, with a value in it."""

import jax.numpy as jnp


def traced_sum(x):
    """Return the sum of x, and print it at every call."""
    s = jnp.sum(x)
    # TODO: this prints while tracing.
    print("s=", s, sep="")
    return s
