# expects: check traces-per-n
# says: You make a new function in each call, so it is traced in each call, also for an `n` that was
#     seen before.
"""Compiles a new function in each call."""

import jax
import jax.numpy as jnp


def jit_with_static_n(x, n):
    return jax.jit(lambda x: jnp.tile(x, int(n)))(x)
