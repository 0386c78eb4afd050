# expects: traced-shape-arg at 8
"""Counts first how many there are; the count is a value."""

import jax.numpy as jnp


def positive_indices(x, size):
    return jnp.nonzero(x > 0, size=(x > 0).sum(), fill_value=-1)[0][:size]
