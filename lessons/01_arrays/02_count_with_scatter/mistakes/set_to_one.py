# expects: check values
# says: Your answer has at most 1 in each bin: it marks which numbers occur. A repeated number
#     must count each time.
"""Marks what occurs, and does not count."""

import jax.numpy as jnp


def counts(idx, n_bins):
    return jnp.zeros(n_bins, dtype=int).at[idx].set(1)
