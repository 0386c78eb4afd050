# expects: check values
# says: Your answer lost its fractions: it went through integers, and an integer has no halves.
"""Halves in integers."""

import jax.numpy as jnp


def halve(x):
    return (x.astype(jnp.int32) // 2).astype(x.dtype)
