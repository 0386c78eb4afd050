# expects: check values
# says: Your scale is the same for all columns. The small columns then have only a few steps.
"""Uses one scale for the whole table."""

import jax.numpy as jnp


def quantise(w):
    scale = jnp.full(w.shape[1], jnp.abs(w).max() / 127)
    return jnp.round(w / scale).astype(jnp.int8), scale


def quantised_dense(x, q, scale):
    largest = jnp.abs(x).max(axis=1, keepdims=True)
    step = jnp.where(largest == 0, 1.0, largest / 127)
    rows = jnp.round(x / step).astype(jnp.int8)
    return jnp.matmul(rows, q, preferred_element_type=jnp.int32) * step * scale
