# expects: check values
"""Forgets the negative side."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    return jnp.where(x > lam, x - lam, 0)
