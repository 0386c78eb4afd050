# expects: check one-trace
"""Converts inside the compiled function, which is too late."""

import jax
import jax.numpy as jnp


def stable(f):
    @jax.jit
    def g(x):
        return f(jnp.asarray(x, jnp.float32))

    return g
