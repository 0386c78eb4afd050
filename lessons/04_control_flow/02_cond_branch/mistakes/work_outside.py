# expects: check inside
# says: Your values are right, but work is done before `cond` decides. What stands outside the
#     branches is never skipped.
"""Has a cond, and does the work before it."""

import jax
import jax.numpy as jnp


def maybe_normalize(x, flag):
    unit = x / jnp.linalg.norm(x)
    return jax.lax.cond(flag, lambda: unit, lambda: x)
