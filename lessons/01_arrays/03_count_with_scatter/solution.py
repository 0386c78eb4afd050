"""Counting into bins: how often each number occurs."""

import jax.numpy as jnp


def counts(idx, n_bins):
    """Return how often each number from 0 to n_bins - 1 is in idx."""
    # add, not set: every index adds its 1, even where an index is repeated.
    return jnp.zeros(n_bins, dtype=int).at[idx].add(1)
