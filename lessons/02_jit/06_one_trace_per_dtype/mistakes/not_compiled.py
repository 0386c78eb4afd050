# expects: check one-trace
# says: Your function runs the Python of `f` at every call. Nothing is compiled, or not for good.
"""Converts, and compiles nothing."""

import jax.numpy as jnp


def stable(f):
    return lambda x: f(jnp.asarray(x, jnp.float32))
