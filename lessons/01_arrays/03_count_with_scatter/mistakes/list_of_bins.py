# expects: check jaxpr
# says: The brackets of `.at` received a Python list of indices. They accept an array, and `idx`
#     is one.
"""Turns the indices into a list."""

import jax.numpy as jnp


def counts(idx, n_bins):
    return jnp.zeros(n_bins, dtype=int).at[list(idx)].add(1)
