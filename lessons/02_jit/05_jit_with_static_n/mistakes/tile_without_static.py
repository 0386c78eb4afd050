# expects: traced-shape-arg at 10
"""Compiles a part, and its count is traced."""

import jax
import jax.numpy as jnp


@jax.jit
def tiled(x, count):
    return jnp.tile(x, count)


def jit_with_static_n(x, n):
    return tiled(x, int(n))
