# expects: python-scalar-not-array at 11
"""Takes every number for an array."""

import jax
import jax.numpy as jnp

def stable(f):
    compiled = jax.jit(f)

    def g(x):
        return compiled(x.astype(jnp.float32))

    return g
