# expects: unhashable-array-in-cache at 7
import functools

import jax


@functools.cache
def basis(n):
    return n * 2


@jax.jit
def f(n):
    return basis(n)


f(3)
