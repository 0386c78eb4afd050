# expects: check one-trace
# says: Your function runs the Python of `f` at every call, even for numbers of one type. What is
#     compiled must still exist at the next call.
"""Compiles a new function at each call."""

import jax
import jax.numpy as jnp


def stable(f):
    def g(x):
        return jax.jit(lambda v: f(v))(jnp.asarray(x, jnp.float32))

    return g
