# expects: check values
# says: Your answer has the largest element first. The indices are in order, however large the
#     elements are.
"""Sorts by size, so the largest comes first."""

import jax.numpy as jnp


def positive_indices(x, size):
    order = jnp.argsort(-x)[:size]
    return jnp.where(x[order] > 0, order, -1)
