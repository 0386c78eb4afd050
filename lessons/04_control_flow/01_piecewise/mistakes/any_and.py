# expects: traced-bool-in-and-or at 8
"""Joins two answers with `and`."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    mixed = (x > lam).any() and (x < -lam).any()
    return jnp.where(mixed, x - jnp.sign(x) * lam, x)
