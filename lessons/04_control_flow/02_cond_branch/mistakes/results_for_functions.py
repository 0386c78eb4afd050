# expects: value-instead-of-function at 9
"""Passes two arrays instead of functions."""

import jax
import jax.numpy as jnp


def maybe_normalize(x, flag):
    return jax.lax.cond(flag, x / jnp.linalg.norm(x), x)
