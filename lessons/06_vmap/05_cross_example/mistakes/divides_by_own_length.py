# expects: check values
"""Divides the sum by the size of one example."""

import jax
import jax.numpy as jnp


def center(x):
    return x - jax.lax.psum(x, "batch") / x.size
