# expects: check values
# says: Your sums wrap around: they are added up in `int8`.
"""Adds up in int8."""

import jax.numpy as jnp


def quantise(w):
    largest = jnp.abs(w).max(axis=0)
    scale = jnp.where(largest == 0, 1.0, largest / 127)
    return jnp.round(w / scale).astype(jnp.int8), scale


def quantised_dense(x, q, scale):
    rows, step = quantise(x.T)
    return (rows.T @ q) * step[:, None] * scale
