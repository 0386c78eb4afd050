# expects: check values
"""Keeps what is positive; NaN is not, so it becomes 0."""

import jax.numpy as jnp


def safe_clip_positive(x):
    return jnp.where(x > 0, x, 0)
