"""Marks what does not count as missing."""

import jax.numpy as jnp


def mean_of_positive(x):
    return jnp.nan_to_num(jnp.nanmean(jnp.where(x > 0, x, jnp.nan)))
