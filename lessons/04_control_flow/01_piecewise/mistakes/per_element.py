# expects: traced-bool-in-if at 8
"""Uses `if` on one number, and maps that."""

import jax.numpy as jnp


def shrink_one(v, lam):
    if v > lam:
        return v - lam
    return v + lam


def soft_shrink(x, lam):
    return jnp.vectorize(shrink_one)(x, lam)
