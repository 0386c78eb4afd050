# expects: check values
# says: Your answer leaves small values as they are. Values no larger than `lam` should become 0.
"""Leaves values no larger than lam unchanged."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    return jnp.where(x > lam, x - lam, jnp.where(x < -lam, x + lam, x))
