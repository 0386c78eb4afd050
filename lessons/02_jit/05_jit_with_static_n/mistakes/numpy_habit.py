# expects: python-scalar-not-array at 8
"""Converts n as if it were an array."""

import jax.numpy as jnp


def jit_with_static_n(x, n):
    return jnp.tile(x, n.astype(int))
