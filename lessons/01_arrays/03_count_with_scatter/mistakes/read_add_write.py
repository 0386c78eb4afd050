# expects: check values
# says: Your answer has at most 1 in each bin: a repeated number has to count each time. Look for an
#     update that adds up what arrives at one place.
"""Writes back the old count plus one."""

import jax.numpy as jnp


def counts(idx, n_bins):
    tally = jnp.zeros(n_bins, dtype=int)
    return tally.at[idx].set(tally[idx] + 1)
