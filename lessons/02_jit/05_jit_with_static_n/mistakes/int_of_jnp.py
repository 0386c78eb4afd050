# expects: jnp-op-on-static-value at 10
"""Rounds n with jnp, and asks for the integer back."""

import jax
import jax.numpy as jnp


@jax.jit(static_argnames="n")
def jit_with_static_n(x, n):
    return jnp.tile(x, int(jnp.round(n)))
