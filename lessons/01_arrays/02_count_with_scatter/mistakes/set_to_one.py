# expects: check values
"""Marks what occurs, and counts nothing."""

import jax.numpy as jnp


def counts(idx, n_bins):
    return jnp.zeros(n_bins, dtype=int).at[idx].set(1)
