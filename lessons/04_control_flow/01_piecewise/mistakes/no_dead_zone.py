# expects: check values
# says: Your answer moves every value towards zero by `lam`, even the small ones, which then end
#     up on the other side of zero. Values no larger than `lam` should become 0.
"""Moves small values across zero."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    return x - lam * jnp.sign(x)
