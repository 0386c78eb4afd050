"""The dtype of the indices."""

import jax.numpy as jnp


def counts(idx, n_bins):
    tally = jnp.zeros((n_bins,), idx.dtype)
    tally = tally.at[idx].add(jnp.ones_like(idx))
    return tally
