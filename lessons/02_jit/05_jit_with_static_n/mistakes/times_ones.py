# expects: check dtype
# says: Your answer does not keep the dtype of `x`: it met an array with a dtype of its own.
"""Multiplies by ones, which are floats."""

import jax
import jax.numpy as jnp


@jax.jit(static_argnames="n")
def jit_with_static_n(x, n):
    return jnp.outer(jnp.ones(int(n)), x).ravel()
