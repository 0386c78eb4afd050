"""Boolean masks: the mean of those elements that are positive."""

import jax.numpy as jnp


def mean_of_positive(x):
    """Return the mean of the positive elements of x, 0 if there are none."""
    positive = x > 0
    total = jnp.where(positive, x, 0).sum()
    # At least 1, so that an empty mask gives 0 / 1, in the value and in the gradient.
    return total / jnp.maximum(positive.sum(), 1)
