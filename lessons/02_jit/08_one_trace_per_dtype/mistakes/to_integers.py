# expects: check values
# says: Your answers lose the fraction: the number becomes an integer on the way to `f`.
"""Decides on integers, and loses fractions."""

import jax
import jax.numpy as jnp


def stable(f):
    compiled = jax.jit(f)
    return lambda x: compiled(jnp.asarray(x, jnp.int32))
