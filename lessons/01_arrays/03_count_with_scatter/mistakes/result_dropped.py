# expects: at-set-result-dropped at 9
"""Adds, and keeps the old array."""

import jax.numpy as jnp


def counts(idx, n_bins):
    tally = jnp.zeros(n_bins, dtype=int)
    tally.at[idx].add(1)
    return tally
