# expects: check one-trace
"""Makes an array, and keeps its dtype and its mark."""

import jax
import jax.numpy as jnp


def stable(f):
    compiled = jax.jit(f)
    return lambda x: compiled(jnp.asarray(x))
