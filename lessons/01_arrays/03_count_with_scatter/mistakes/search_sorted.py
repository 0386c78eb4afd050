# expects: check values
# says: Your answer ignores negative numbers. A negative number counts from the end: -1 is the
#     last bin.
"""Sorts, and measures how long each run of equal numbers is."""

import jax.numpy as jnp


def counts(idx, n_bins):
    ordered = jnp.sort(idx)
    bins = jnp.arange(n_bins)
    return jnp.searchsorted(ordered, bins, side="right") - jnp.searchsorted(ordered, bins)
