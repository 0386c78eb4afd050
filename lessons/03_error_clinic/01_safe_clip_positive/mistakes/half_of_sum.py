# expects: check values
# says: Your answer computes where it should choose: a sum of two large numbers overflows, and
#     `-inf + inf` is NaN.
"""Halves x + |x|, which overflows at the ends of the range and turns integers into floats."""

import jax.numpy as jnp


def safe_clip_positive(x):
    return (x + jnp.abs(x)) / 2
