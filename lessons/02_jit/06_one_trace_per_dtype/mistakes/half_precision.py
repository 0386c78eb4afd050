# expects: check dtype
"""Decides on another dtype."""

import jax
import jax.numpy as jnp


def stable(f):
    compiled = jax.jit(f)
    return lambda x: compiled(jnp.asarray(x, jnp.float16))
