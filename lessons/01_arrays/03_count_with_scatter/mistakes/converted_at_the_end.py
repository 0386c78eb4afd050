# expects: check values
# says: Your counts have the dtype of `idx`. A short dtype overflows: an `int8` ends at 127.
"""Counts in the dtype of the numbers, and converts the counts."""

import jax.numpy as jnp


def counts(idx, n_bins):
    tally = jnp.zeros(n_bins, dtype=idx.dtype)
    return tally.at[idx].add(1).astype(jnp.int32)
