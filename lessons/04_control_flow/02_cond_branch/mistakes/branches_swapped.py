# expects: check values
"""Normalizes when it should not."""

import jax
import jax.numpy as jnp


def maybe_normalize(x, flag):
    return jax.lax.cond(flag, lambda v: v, lambda v: v / jnp.linalg.norm(v), x)
