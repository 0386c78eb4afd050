# expects: check values
# says: Your answer divides by the sum of the absolute values. The length of a vector is the root
#     of the sum of its squares.
"""Divides by another norm."""

import jax
import jax.numpy as jnp


def maybe_normalize(x, flag):
    return jax.lax.cond(flag, lambda: x / jnp.sum(jnp.abs(x)), lambda: x)
