# expects: check values
# says: Your answer overflows: the sum or the number of elements is in 16 bits before the division.
#     Only the quotient fits.
"""Converts the sum to 16 bits before it is divided."""

import jax.numpy as jnp


def mean_f16(x):
    total = x.astype(jnp.float32).sum().astype(x.dtype)
    return total / x.size
