# expects: check slow
# says: Your loop ends too early where it converges slowly. It should continue until no element
#     changes any more.
"""A fixed number of iterations, enough for the examples."""

import jax


def fixed_point(f, a, y0):
    return jax.lax.fori_loop(0, 40, lambda _, y: f(a, y), y0)
