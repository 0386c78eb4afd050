# expects: check values
# says: Your answer adds `lam` to everything that is not above `lam`. Values between `-lam` and
#     `lam` should become 0, so look at the bound of the second condition.
"""Forgets the minus of the lower bound."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    return jnp.where(x > lam, x - lam, jnp.where(x < lam, x + lam, 0))
