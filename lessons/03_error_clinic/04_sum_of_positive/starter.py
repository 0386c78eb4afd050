"""Boolean masks: the mean of those elements that are positive."""

import jax.numpy as jnp


def mean_of_positive(x):
    """Return the mean of the positive elements of x, 0 if there are none."""
    # TODO: the length of this array depends on the values.
    positive = x[x > 0]
    return jnp.sum(positive) / positive.size
