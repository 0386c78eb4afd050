# expects: check values
# says: Your answer overflows: the sum is kept in 16 bits. It needs a wider dtype on the way.
"""Lets the mean work in 16 bits."""

import jax.numpy as jnp


def mean_f16(x):
    return jnp.mean(x, dtype=jnp.float16)
