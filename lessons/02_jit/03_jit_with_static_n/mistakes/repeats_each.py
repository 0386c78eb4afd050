# expects: check values
"""Repeats each element instead of the whole."""

import jax.numpy as jnp


def jit_with_static_n(x, n):
    return jnp.repeat(x, int(n))
