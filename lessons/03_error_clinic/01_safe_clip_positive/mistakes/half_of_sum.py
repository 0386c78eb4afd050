# expects: check values
"""Halves x + |x|, which overflows at the ends and makes floats of integers."""

import jax.numpy as jnp


def safe_clip_positive(x):
    return (x + jnp.abs(x)) / 2
