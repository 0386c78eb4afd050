# expects: check jaxpr
"""Loops over a float."""

import jax.numpy as jnp


def jit_with_static_n(x, n):
    return jnp.concatenate([x for _ in range(n)])
