# expects: check traces-per-n
# says: Your function is not compiled: Python runs its body in every call.
"""Converts the count, and compiles nothing."""

import jax.numpy as jnp


def jit_with_static_n(x, n):
    return jnp.tile(x, int(n))
