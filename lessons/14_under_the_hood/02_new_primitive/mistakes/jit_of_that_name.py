# expects: check primitive
# says: Your jaxpr holds a compiled function with that name, not a primitive. `square` binds a
#     `Primitive`.
"""Gives a compiled function the name of the primitive."""

import jax


@jax.jit
def my_square(x):
    return x * x


def square(x):
    return my_square(x)
