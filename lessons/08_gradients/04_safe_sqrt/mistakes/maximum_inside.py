# expects: nan-grad-of-norm-at-zero at 8
"""Cuts off below 0, and takes the root of 0."""

import jax.numpy as jnp


def safe_norm(x):
    return jnp.sqrt(jnp.maximum(jnp.sum(x**2, axis=-1), 0.0))
