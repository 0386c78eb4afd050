# expects: check inside
# says: Your values are right, but the work is done before `cond` decides, so the branch only
#     picks a finished result. Do the work inside the function you pass.
"""Has a cond, and does the work before it."""

import jax
import jax.numpy as jnp


def maybe_normalize(x, flag):
    unit = x / jnp.linalg.norm(x)
    return jax.lax.cond(flag, lambda: unit, lambda: x)
