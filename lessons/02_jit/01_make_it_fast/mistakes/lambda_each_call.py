# expects: check traces-once
# says: Your function is traced again at every call, although the answers are right. What was
#     compiled must still be there at the next call.
"""Compiles a new function at every call."""

import jax


def compile_once(f):
    def g(x):
        return jax.jit(lambda y: f(y))(x)

    return g
