"""Compares every entry with every bin."""

import jax.numpy as jnp


def counts(idx, n_bins):
    wrapped = jnp.where(idx < 0, idx + n_bins, idx)
    return jnp.sum(wrapped[:, None] == jnp.arange(n_bins), axis=0)
