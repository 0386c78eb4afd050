# expects: check values
# says: Your rows are rounded to whole numbers as they are, without a scale.
"""Rounds the rows without a scale."""

import jax.numpy as jnp


def quantise(w):
    largest = jnp.abs(w).max(axis=0)
    scale = jnp.where(largest == 0, 1.0, largest / 127)
    return jnp.round(w / scale).astype(jnp.int8), scale


def quantised_dense(x, q, scale):
    rows = jnp.round(x).astype(jnp.int8)
    return jnp.matmul(rows, q, preferred_element_type=jnp.int32) * scale
