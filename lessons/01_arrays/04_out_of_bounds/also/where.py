"""Reads, and chooses by the index."""

import jax.numpy as jnp


def safe_take(x, idx, fill):
    n = len(x)
    return jnp.where((idx < -n) | (idx >= n), fill, x[idx])
