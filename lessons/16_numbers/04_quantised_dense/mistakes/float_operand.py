# expects: check no-float-copy
# says: One side of your product is an array of floats. With int8 on both sides it is a product of
#     whole numbers, which int32 adds up exactly.
"""Multiplies floats with int8."""

import jax.numpy as jnp


def quantise(w):
    largest = jnp.abs(w).max(axis=0)
    scale = jnp.where(largest == 0, 1.0, largest / 127)
    return jnp.round(w / scale).astype(jnp.int8), scale


def quantised_dense(x, q, scale):
    largest = jnp.abs(x).max(axis=1, keepdims=True)
    step = jnp.where(largest == 0, 1.0, largest / 127)
    return (jnp.round(x / step) @ q) * step * scale
