# expects: check inside
# says: Your values are right, but work is done before `cond` decides. What stands outside the
#     branches is never skipped.
"""Computes the length before the cond."""

import jax
import jax.numpy as jnp


def maybe_normalize(x, flag):
    length = jnp.linalg.norm(x)
    return jax.lax.cond(flag, lambda v: v / length, lambda v: v, x)
