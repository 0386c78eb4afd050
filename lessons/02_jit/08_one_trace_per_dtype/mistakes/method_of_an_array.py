# expects: python-scalar-not-array at 11
"""Assumes that every number is an array."""

import jax
import jax.numpy as jnp

def stable(f):
    compiled = jax.jit(f)

    def g(x):
        return compiled(x.astype(jnp.float32))

    return g
