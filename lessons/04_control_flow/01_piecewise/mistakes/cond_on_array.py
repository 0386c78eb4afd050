# expects: cond-pred-not-scalar at 8
"""Passes a whole array of booleans to `lax.cond`."""

from jax import lax


def soft_shrink(x, lam):
    return lax.cond(x > lam, lambda v: v - lam, lambda v: v + lam, x)
