"""Counting into bins: how often each number occurs."""

import jax.numpy as jnp


def counts(idx, n_bins):
    """Return how often each number from 0 to n_bins - 1 is in idx."""
    tally = jnp.zeros(n_bins, dtype=int)
    # TODO: a number that occurs three times counts only once.
    return tally.at[idx].set(tally[idx] + 1)
