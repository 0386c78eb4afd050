"""Computes a wide mean, and converts it."""

import jax.numpy as jnp


def mean_f16(x):
    return jnp.mean(x, dtype=jnp.float32).astype(jnp.float16)
