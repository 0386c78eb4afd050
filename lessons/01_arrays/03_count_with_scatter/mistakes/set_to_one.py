# expects: check values
# says: Your answer has at most 1 in each bin: a repeated number has to count each time. Look for an
#     update that adds up what arrives at one place.
"""Marks what occurs, and does not count."""

import jax.numpy as jnp


def counts(idx, n_bins):
    return jnp.zeros(n_bins, dtype=int).at[idx].set(1)
