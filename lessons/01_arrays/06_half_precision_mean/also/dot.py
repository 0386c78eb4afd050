"""Weights each element by 1 / n, in a wide product."""

import jax.numpy as jnp


def mean_f16(x):
    wide = x.ravel().astype(jnp.float32)
    weights = jnp.full_like(wide, 1 / wide.size)
    return jnp.dot(wide, weights).astype(x.dtype)
