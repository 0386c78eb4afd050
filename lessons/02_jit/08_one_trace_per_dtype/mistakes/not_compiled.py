# expects: check one-trace
# says: Your function runs the Python of `f` at every call, even for numbers of one type. What is
#     compiled must still exist at the next call.
"""Converts, and compiles nothing."""

import jax.numpy as jnp


def stable(f):
    return lambda x: f(jnp.asarray(x, jnp.float32))
