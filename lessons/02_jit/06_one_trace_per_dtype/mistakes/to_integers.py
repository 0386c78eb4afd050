# expects: check values
"""Decides on integers, and loses fractions."""

import jax
import jax.numpy as jnp


def stable(f):
    compiled = jax.jit(f)
    return lambda x: compiled(jnp.asarray(x, jnp.int32))
