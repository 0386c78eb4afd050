# expects: check values
"""Stacks the repeats in rows and leaves them so."""

import jax.numpy as jnp


def jit_with_static_n(x, n):
    return jnp.tile(x, (int(n), 1))
