# expects: missing-static-size at 8
"""Gives NumPy's least length, which is no length."""

import jax.numpy as jnp


def counts(idx, n_bins):
    return jnp.bincount(idx, minlength=n_bins)
