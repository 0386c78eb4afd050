# expects: check no-float-copy
# says: Your program turns the weights back into floats before it multiplies. They take four times
#     the memory then.
"""Turns the weights back into floats."""

import jax.numpy as jnp


def quantise(w):
    largest = jnp.abs(w).max(axis=0)
    scale = jnp.where(largest == 0, 1.0, largest / 127)
    return jnp.round(w / scale).astype(jnp.int8), scale


def quantised_dense(x, q, scale):
    largest = jnp.abs(x).max(axis=1, keepdims=True)
    step = jnp.where(largest == 0, 1.0, largest / 127)
    return jnp.round(x / step) * step @ (q.astype(jnp.float32) * scale)
