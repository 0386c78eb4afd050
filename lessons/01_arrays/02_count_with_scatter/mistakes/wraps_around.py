# expects: check values
"""Makes everything fit by taking remainders."""

import jax.numpy as jnp


def counts(idx, n_bins):
    return jnp.zeros(n_bins, dtype=int).at[idx % n_bins].add(1)
