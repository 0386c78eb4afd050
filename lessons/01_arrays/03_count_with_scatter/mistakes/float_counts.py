# expects: check dtype
# says: Your counts are floats. An array of zeros has a float dtype unless you ask for another.
"""Counts in floats."""

import jax.numpy as jnp


def counts(idx, n_bins):
    return jnp.zeros(n_bins).at[idx].add(1)
