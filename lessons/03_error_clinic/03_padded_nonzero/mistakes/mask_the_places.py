# expects: boolean-mask-index at 8
"""Picks the indices with a mask."""

import jax.numpy as jnp


def positive_indices(x, size):
    found = jnp.arange(x.size)[x > 0]
    return jnp.pad(found, (0, size - found.size), constant_values=-1)
