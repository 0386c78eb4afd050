"""Marks what does not count as missing, and replaces NaN only."""

import jax.numpy as jnp


def mean_of_positive(x):
    mean = jnp.nanmean(jnp.where(x > 0, x, jnp.nan))
    return jnp.where(jnp.isnan(mean), 0, mean)
