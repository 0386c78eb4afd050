# expects: float-on-tracer at 9
"""Wants a Python number to print."""

import jax.numpy as jnp


def traced_sum(x):
    s = jnp.sum(x)
    print("s=", float(s), sep="")
    return s
