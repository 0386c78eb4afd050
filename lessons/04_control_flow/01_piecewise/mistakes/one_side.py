# expects: check values
# says: Your answer is 0 for every negative `x`. Values below `-lam` should move up by `lam`.
"""Forgets the negative side."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    return jnp.where(x > lam, x - lam, 0)
