"""Shapes cannot depend on values: the places of the positive elements, padded."""

import jax.numpy as jnp


def positive_indices(x, size):
    """Return the first `size` indices of positive elements of x, padded with -1."""
    # TODO: how many are found depends on the values, so this has no fixed shape.
    (found,) = jnp.nonzero(x > 0)
    return found[:size]
