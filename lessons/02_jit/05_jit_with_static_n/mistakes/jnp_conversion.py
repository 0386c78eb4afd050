# expects: jnp-op-on-static-value at 10
"""Converts n with jnp, which turns it into a tracer."""

import jax
import jax.numpy as jnp


@jax.jit(static_argnames="n")
def jit_with_static_n(x, n):
    return jnp.tile(x, jnp.int32(n))
