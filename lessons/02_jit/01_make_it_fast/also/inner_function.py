"""A decorated inner function, made once."""

import jax


def compile_once(f):
    @jax.jit
    def g(x):
        return f(x)

    return g
