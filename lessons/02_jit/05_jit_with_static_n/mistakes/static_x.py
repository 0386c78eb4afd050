# expects: wrong-static-argnums at 8
"""Counts positions from 1."""

import jax
import jax.numpy as jnp


@jax.jit(static_argnums=0)
def jit_with_static_n(x, n):
    return jnp.tile(x, int(n))
