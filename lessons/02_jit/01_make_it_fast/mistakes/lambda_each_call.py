# expects: check traces-once
"""Makes a new function to compile at every call."""

import jax


def compile_once(f):
    def g(x):
        return jax.jit(lambda y: f(y))(x)

    return g
