# expects: check values
# says: Your answer has two branches, and the problem has three: values between `-lam` and `lam`,
#     both included, become 0.
"""Adds lam to everything that is not above it."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    return jnp.where(x > lam, x - lam, x + lam)
