# expects: missing-static-size at 8
"""Lets the data decide how many bins there are."""

import jax.numpy as jnp


def counts(idx, n_bins):
    return jnp.bincount(idx)
