# expects: check values
# says: Your answer overflows: the sum or the number of elements is in 16 bits before the division.
#     Only the quotient fits.
"""Lets the mean work in 16 bits."""

import jax.numpy as jnp


def mean_f16(x):
    return jnp.mean(x, dtype=jnp.float16)
