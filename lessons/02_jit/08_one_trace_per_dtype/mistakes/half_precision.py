# expects: check dtype
# says: Your function passes `f` a number of another dtype than `float32`.
"""Decides on another dtype."""

import jax
import jax.numpy as jnp


def stable(f):
    compiled = jax.jit(f)
    return lambda x: compiled(jnp.asarray(x, jnp.float16))
