# expects: check values
"""Puts zeros where the mask is false, and counts them in."""

import jax.numpy as jnp


def mean_of_positive(x):
    return jnp.where(x > 0, x, 0).mean()
