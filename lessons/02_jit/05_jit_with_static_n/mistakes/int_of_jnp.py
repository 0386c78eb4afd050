# expects: jnp-op-on-static-value at 8
"""Rounds n with jnp, and asks for the integer back."""

import jax.numpy as jnp


def jit_with_static_n(x, n):
    return jnp.tile(x, int(jnp.round(n)))
