# expects: traced-index-into-list at 10
"""Counts in a Python list."""

import jax.numpy as jnp


def counts(idx, n_bins):
    tally = [0] * n_bins
    for i in idx:
        tally[i] += 1
    return jnp.array(tally)
