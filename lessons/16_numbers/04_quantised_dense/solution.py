"""Weights in eight bits."""

import jax.numpy as jnp


def whole(a, axis):
    """Return an array as int8, and its scale along an axis, which is kept."""
    largest = jnp.abs(a).max(axis=axis, keepdims=True)
    scale = jnp.where(largest == 0, 1.0, largest / 127)
    return jnp.round(a / scale).astype(jnp.int8), scale


def quantise(w):
    """Return w as int8, and the scale of each column."""
    q, scale = whole(w, 0)
    return q, scale[0]


def quantised_dense(x, q, scale):
    """Return x @ w, nearly, for the w that was quantised."""
    rows, step = whole(x, -1)
    # int8 times int8, added up in int32: the scales come last.
    return jnp.matmul(rows, q, preferred_element_type=jnp.int32) * step * scale
