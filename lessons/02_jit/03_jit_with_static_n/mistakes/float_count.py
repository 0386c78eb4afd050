# expects: check jaxpr
"""Passes the float on as a count."""

import jax.numpy as jnp


def jit_with_static_n(x, n):
    return jnp.tile(x, n)
