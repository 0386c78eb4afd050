# expects: format-of-tracer at 9
"""Formats the old way."""

import jax.numpy as jnp


def traced_sum(x):
    s = jnp.sum(x)
    print("s=%f" % s)
    return s
