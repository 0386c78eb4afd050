# expects: check values
# says: Your numbers are cut towards zero, and not rounded to the nearest.
"""Casts without rounding."""

import jax.numpy as jnp


def quantise(w):
    largest = jnp.abs(w).max(axis=0)
    scale = jnp.where(largest == 0, 1.0, largest / 127)
    return (w / scale).astype(jnp.int8), scale


def quantised_dense(x, q, scale):
    rows, step = quantise(x.T)
    sums = jnp.matmul(rows.T, q, preferred_element_type=jnp.int32)
    return sums * step[:, None] * scale
