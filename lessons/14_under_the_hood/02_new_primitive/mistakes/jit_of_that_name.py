# expects: check primitive
# says: Your jaxpr holds a compiled function with that name, not a primitive. `cube` binds a
#     `Primitive`.
"""Gives a compiled function the name of the primitive."""

import jax


@jax.jit
def my_cube(x):
    return x * x * x


def cube(x):
    return my_cube(x)
