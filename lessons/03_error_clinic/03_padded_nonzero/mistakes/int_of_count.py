# expects: int-on-tracer at 8
"""Converts the count to a Python integer, to use it as a size."""

import jax.numpy as jnp


def positive_indices(x, size):
    count = int((x > 0).sum())
    found = jnp.nonzero(x > 0, size=count)[0]
    return jnp.pad(found, (0, size - count), constant_values=-1)
