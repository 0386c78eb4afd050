"""Compiles a plain function, and gives it the name."""

import jax
import jax.numpy as jnp


def repeated(x, n):
    return jnp.tile(x, int(n))


jit_with_static_n = jax.jit(repeated, static_argnames=["n"])
