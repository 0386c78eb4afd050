# expects: int-on-tracer at 8
"""Converts the count to a Python integer."""

import jax.numpy as jnp


def mean_of_positive(x):
    count = int((x > 0).sum())
    return jnp.where(x > 0, x, 0).sum() / max(count, 1)
