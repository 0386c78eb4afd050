# expects: missing-static-size at 8
"""Gives a minimum length, which does not fix the length."""

import jax.numpy as jnp


def counts(idx, n_bins):
    return jnp.bincount(idx, minlength=n_bins)
