# expects: check one-trace
"""Makes a new function to compile at each call."""

import jax
import jax.numpy as jnp


def stable(f):
    def g(x):
        return jax.jit(lambda v: f(v))(jnp.asarray(x, jnp.float32))

    return g
