# expects: check values
# says: Your counts have the dtype of `idx`. A short dtype overflows: an `int8` ends at 127.
"""Counts in the dtype of the indices."""

import jax.numpy as jnp


def counts(idx, n_bins):
    tally = jnp.zeros((n_bins,), idx.dtype)
    return tally.at[idx].add(jnp.ones_like(idx))
