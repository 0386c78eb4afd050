"""The logarithm of a sum of exponentials, one of them exp(0)."""

import jax.numpy as jnp


def log1pexp(x):
    return jnp.logaddexp(x, 0)
