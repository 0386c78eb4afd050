# expects: check without-jit
# says: Your values are right only as long as the compiler helps: 0 times NaN is NaN, and your
#     answer multiplies the padding. Choose instead.
"""Multiplies by a mask of floats."""

import jax
import jax.numpy as jnp


def mean(row, length):
    inside = (jnp.arange(row.size) < length).astype(row.dtype)
    return (row * inside).sum() / jnp.maximum(inside.sum(), 1)


def masked_mean(X, lengths):
    return jax.vmap(mean)(X, lengths)
