"""Rows of one array, laid end to end."""

import jax.numpy as jnp


def jit_with_static_n(x, n):
    return jnp.broadcast_to(x, (int(n), x.size)).ravel()
