# expects: python-scalar-not-array at 10
"""Converts n as if it were an array."""

import jax
import jax.numpy as jnp


@jax.jit(static_argnames="n")
def jit_with_static_n(x, n):
    return jnp.tile(x, n.astype(int))
