# expects: check inside
"""Computes the length before the cond."""

import jax
import jax.numpy as jnp


def maybe_normalize(x, flag):
    length = jnp.linalg.norm(x)
    return jax.lax.cond(flag, lambda v: v / length, lambda v: v, x)
