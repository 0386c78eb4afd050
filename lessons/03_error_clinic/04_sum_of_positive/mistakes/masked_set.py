# expects: boolean-mask-index at 8
"""Writes zeros through a mask, then sums."""

import jax.numpy as jnp


def mean_of_positive(x):
    kept = x.at[~(x > 0)].set(0)
    return kept.sum() / jnp.maximum((x > 0).sum(), 1)
