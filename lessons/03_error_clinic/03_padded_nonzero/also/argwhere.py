"""A table of indices, with one column."""

import jax.numpy as jnp


def positive_indices(x, size):
    return jnp.argwhere(x > 0, size=size, fill_value=-1).ravel()
