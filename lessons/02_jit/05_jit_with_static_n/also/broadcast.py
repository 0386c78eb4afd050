"""Rows of one array, laid end to end."""

import jax
import jax.numpy as jnp


@jax.jit(static_argnames="n")
def jit_with_static_n(x, n):
    return jnp.broadcast_to(x, (int(n), x.size)).ravel()
