# expects: float-as-size at 10
"""Passes the float on as a count."""

import jax
import jax.numpy as jnp


@jax.jit(static_argnames="n")
def jit_with_static_n(x, n):
    return jnp.tile(x, n)
