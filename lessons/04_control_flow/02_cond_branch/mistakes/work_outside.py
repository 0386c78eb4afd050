# expects: check inside
"""Has a cond, and does the work before it."""

import jax
import jax.numpy as jnp


def maybe_normalize(x, flag):
    unit = x / jnp.linalg.norm(x)
    return jax.lax.cond(flag, lambda: unit, lambda: x)
