# expects: int-on-tracer at 9
"""Converts n, and leaves it traced."""

import jax
import jax.numpy as jnp

@jax.jit
def jit_with_static_n(x, n):
    return jnp.tile(x, int(n))
