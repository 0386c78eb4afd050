# expects: check inside
# says: Your values are right, but `x` is always divided, even by 1. The division belongs inside
#     the branch as well.
"""Skips the length, and divides by 1 where nothing is to be done."""

import jax
import jax.numpy as jnp


def maybe_normalize(x, flag):
    length = jax.lax.cond(flag, jnp.linalg.norm, lambda v: jnp.ones((), v.dtype), x)
    return x / length
