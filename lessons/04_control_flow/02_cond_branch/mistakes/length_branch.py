# expects: check inside
"""Skips the length, and divides by 1 where nothing is to be done."""

import jax
import jax.numpy as jnp


def maybe_normalize(x, flag):
    length = jax.lax.cond(flag, jnp.linalg.norm, lambda v: jnp.ones((), v.dtype), x)
    return x / length
