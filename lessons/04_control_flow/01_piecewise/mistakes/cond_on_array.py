# expects: check jaxpr
# says: No call ran: `jax.lax.cond` needs one boolean, and `x > lam` has one for each element. You
#     want an operation that chooses element by element.
"""Passes a whole array of booleans to `lax.cond`."""

from jax import lax


def soft_shrink(x, lam):
    return lax.cond(x > lam, lambda v: v - lam, lambda v: v + lam, x)
