# expects: check values
# says: Your answer normalizes when `flag` is false, and leaves `x` alone when it is true. The
#     first function of `cond` is the one for true.
"""Normalizes when it should not."""

import jax
import jax.numpy as jnp


def maybe_normalize(x, flag):
    return jax.lax.cond(flag, lambda v: v, lambda v: v / jnp.linalg.norm(v), x)
