# expects: check storage
# says: A column of zeros gets the scale 0, and its zeros are divided by it.
"""Divides by the scale of zeros."""

import jax.numpy as jnp


def quantise(w):
    scale = jnp.abs(w).max(axis=0) / 127
    return jnp.round(w / scale).astype(jnp.int8), scale


def quantised_dense(x, q, scale):
    largest = jnp.abs(x).max(axis=1, keepdims=True)
    step = jnp.where(largest == 0, 1.0, largest / 127)
    rows = jnp.round(x / step).astype(jnp.int8)
    return jnp.matmul(rows, q, preferred_element_type=jnp.int32) * step * scale
