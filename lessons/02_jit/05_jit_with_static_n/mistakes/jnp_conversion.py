# expects: jnp-op-on-static-value at 7
"""Converts n with jnp, which turns it into a tracer."""

import jax.numpy as jnp

def jit_with_static_n(x, n):
    return jnp.tile(x, jnp.int32(n))
