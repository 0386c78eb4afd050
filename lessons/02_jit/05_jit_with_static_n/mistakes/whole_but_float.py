# expects: float-as-size at 10
"""Divides without a remainder, which leaves a float a float."""

import jax
import jax.numpy as jnp


@jax.jit(static_argnames="n")
def jit_with_static_n(x, n):
    return jnp.tile(x, n // 1)
