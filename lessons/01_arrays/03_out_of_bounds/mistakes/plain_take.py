# expects: check values
"""Fills with NaN."""

import jax.numpy as jnp


def safe_take(x, idx, fill):
    return jnp.take(x, idx)
