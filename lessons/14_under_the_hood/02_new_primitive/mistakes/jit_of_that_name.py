# expects: check primitive
"""Gives a compiled function the name of the primitive."""

import jax


@jax.jit
def my_square(x):
    return x * x


def square(x):
    return my_square(x)
