# expects: check values
# says: Your answer is divided by the sum of the squares. The length is the root of that sum.
"""Divides by the sum of squares."""

import jax
import jax.numpy as jnp


def maybe_normalize(x, flag):
    return jax.lax.cond(flag, lambda x: x / jnp.dot(x, x), lambda x: x, x)
