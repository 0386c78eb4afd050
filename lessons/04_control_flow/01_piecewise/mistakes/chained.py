# expects: traced-bool-in-chained-comparison at 8
"""Writes the middle as one comparison."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    return jnp.where(-lam < x < lam, 0, x - jnp.sign(x) * lam)
