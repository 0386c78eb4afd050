# expects: check kept
# says: Value and gradient are right, but what is kept for the backward pass grows with the number
#     of iterations.
"""A loop of fixed length: right, but every iteration is kept."""

import jax


def fixed_point(f, a, y0):
    return jax.lax.scan(lambda y, _: (f(a, y), None), y0, length=1000)[0]
