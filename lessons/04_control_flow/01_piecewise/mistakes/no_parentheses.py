# expects: operator-precedence at 8
"""Leaves out the parentheses around the comparisons."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    small = x > -lam & x < lam
    return jnp.where(small, 0, x - jnp.sign(x) * lam)
