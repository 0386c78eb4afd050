# expects: check values
# says: Your answer counts numbers that are too large: a remainder puts them into some bin. They
#     should not be counted.
"""Forces every number into the range by taking remainders."""

import jax.numpy as jnp


def counts(idx, n_bins):
    return jnp.zeros(n_bins, dtype=int).at[idx % n_bins].add(1)
