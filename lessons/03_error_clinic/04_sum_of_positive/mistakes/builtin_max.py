# expects: traced-bool-in-builtin-minmax at 8
"""Keeps the divisor from being 0 with Python's `max`."""

import jax.numpy as jnp


def mean_of_positive(x):
    count = max((x > 0).sum(), 1)
    return jnp.where(x > 0, x, 0).sum() / count
