# expects: float-as-size at 10
"""Loops over a float."""

import jax
import jax.numpy as jnp


@jax.jit(static_argnames="n")
def jit_with_static_n(x, n):
    return jnp.concatenate([x for _ in range(n)])
