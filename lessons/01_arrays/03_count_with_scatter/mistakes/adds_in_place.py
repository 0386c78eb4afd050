# expects: inplace-assignment at 9
"""Adds in place, as in NumPy."""

import jax.numpy as jnp


def counts(idx, n_bins):
    tally = jnp.zeros(n_bins, dtype=int)
    tally[idx] += 1
    return tally
