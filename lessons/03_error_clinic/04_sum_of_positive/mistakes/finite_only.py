# expects: check values
# says: Your answer leaves out `inf`. It is positive, so it counts, and the mean is infinite.
"""Leaves out what is not finite."""

import jax.numpy as jnp


def mean_of_positive(x):
    counts = jnp.isfinite(x) & (x > 0)
    return jnp.where(counts, x, 0).sum() / jnp.maximum(counts.sum(), 1)
